import CDRM
import CDisplayShims
import Codecs
import MediaTypes

/// A buffer in the card's memory that the screen can show.
///
/// It is only written: reading memory that the processor does not cache would take far longer.
/// - Thread: one at a time.
final class KMSBuffer {
    let size: PictureSize
    /// What the kernel shows.
    let framebuffer: UInt32
    /// Where it differs from what is to be shown.
    var outdated: PictureRegion
    private let card: KMSCard
    private let handle: UInt32
    private let strideBytes: Int
    private let byteCount: UInt64
    private let address: UnsafeMutableRawPointer

    init(card: KMSCard, size: PictureSize) throws(DeviceError) {
        var handle: UInt32 = 0
        var stride: UInt32 = 0
        var byteCount: UInt64 = 0
        var framebuffer: UInt32 = 0
        var address: UnsafeMutableRawPointer?
        let width = UInt32(size.width)
        let height = UInt32(size.height)
        var code = ccb_drm_create_buffer(card.descriptor, width, height, &handle, &stride, &byteCount)
        guard code == 0 else { throw card.error("make a buffer of \(size)", code: -code) }
        code = ccb_drm_add_framebuffer(card.descriptor, width, height, handle, stride, &framebuffer)
        if code == 0 { code = ccb_drm_map_buffer(card.descriptor, handle, byteCount, &address) }
        guard code == 0, let address else {
            if framebuffer != 0 { drmModeRmFB(card.descriptor, framebuffer) }
            ccb_drm_destroy_buffer(card.descriptor, handle)
            throw card.error("use a buffer of \(size)", code: -code)
        }
        self.card = card
        self.size = size
        self.handle = handle
        self.framebuffer = framebuffer
        self.byteCount = byteCount
        self.address = address
        strideBytes = Int(stride)
        outdated = PictureRegion(PictureRectangle(size))
    }

    deinit {
        ccb_drm_unmap_buffer(address, byteCount)
        drmModeRmFB(card.descriptor, framebuffer)
        ccb_drm_destroy_buffer(card.descriptor, handle)
    }

    /// Takes over what is outdated from the picture.
    /// - Returns: how many pixels were written.
    func update(from picture: Picture) -> Int {
        var count = 0
        for index in outdated.rectangles.indices {
            let rectangle = outdated.rectangles[index]
            PictureConverter.writeXRGB(
                rectangle, of: picture, into: address.assumingMemoryBound(to: UInt8.self), strideBytes: strideBytes)
            count += rectangle.width * rectangle.height
        }
        outdated.removeAll()
        return count
    }
}
