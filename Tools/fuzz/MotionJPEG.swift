import Codecs
import MediaTypes

/// libFuzzer target: what a camera might deliver as JPEG.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzMotionJPEG(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let picture = Picture(size: PictureSize(width: 16, height: 16))
    let size = PictureSize(width: 64, height: 48)
    let input = UnsafeRawBufferPointer(start: bytes, count: count)
    do {
        try PictureConverter.convert(input, format: .mjpeg, size: size, into: picture)
        precondition(picture.size == size)
    } catch {
        precondition(error == .malformed)
    }
    return 0
}
