import CCodecShims
import CVPX
import CYUV
import MediaTypes

/// Decompresses the VP8 frames of one remote stream.
///
/// It shows nothing before the first key frame, and nothing between a damaged frame and the next key frame: what it
/// shows is right.
/// - Thread: confined to one (`cb-vdec`); `decode` allocates nothing while the size stays.
package final class VP8Decoder {
    /// Only a key frame can be decoded now: ask the far side for one.
    package private(set) var needsKeyFrame = true
    /// Frames that could not be decoded.
    package private(set) var malformedCount = 0
    /// Pictures decoded since the start.
    package private(set) var pictureCount: Int64 = 0
    private let largestPixelCount: Int
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>

    /// - Parameter largest: key frames with more pixels are refused, so that a hostile one cannot take all memory.
    package init(largest: PictureSize = PictureSize(width: 1_920, height: 1_088)) throws(CodecError) {
        largestPixelCount = largest.width * largest.height
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        let result = ccb_vp8_decoder_open(context)
        guard result == 0 else {
            // deinit runs on this path too and frees the context.
            throw result == Int32(VPX_CODEC_MEM_ERROR.rawValue) ? .outOfMemory : .library(.vpx, code: result)
        }
    }

    deinit {
        vpx_codec_destroy(context)
        context.deallocate()
    }

    /// Decodes a frame and copies its picture.
    /// - Parameter picture: takes the frame's size and gets the next number; its times are the caller's.
    /// - Returns: false when there is nothing to show: the frame is not a key frame while one is needed, or is not meant
    ///   to be shown.
    /// - Errors: `malformed`, `unsupportedSize`, `outOfMemory`; afterwards a key frame is needed.
    package func decode(_ bytes: UnsafeRawBufferPointer, into picture: Picture) throws(CodecError) -> Bool {
        guard bytes.count >= 3, let start = bytes.baseAddress, let count = UInt32(exactly: bytes.count) else {
            throw damage(.malformed)
        }
        let frame = start.assumingMemoryBound(to: UInt8.self)
        // Bit 0 of a frame is 0 in key frames (RFC 6386 §9.1).
        let isKeyFrame = frame[0] & 1 == 0
        if isKeyFrame {
            var width: UInt32 = 0
            var height: UInt32 = 0
            guard ccb_vp8_peek_size(frame, count, &width, &height) == 0 else { throw damage(.malformed) }
            guard width > 0, height > 0, Int(width) * Int(height) <= largestPixelCount else {
                throw damage(.unsupportedSize(width: Int(width), height: Int(height)))
            }
        } else if needsKeyFrame {
            return false
        }
        let result = vpx_codec_decode(context, frame, count, nil, 0)
        guard result == VPX_CODEC_OK else {
            throw damage(result == VPX_CODEC_MEM_ERROR ? .outOfMemory : .malformed)
        }
        var position: vpx_codec_iter_t?
        let image = vpx_codec_get_frame(context, &position)
        guard ccb_vp8_decoder_is_corrupted(context) == 0 else { throw damage(.malformed) }
        needsKeyFrame = false
        guard let image, copy(image.pointee, to: picture) else { return false }
        pictureCount += 1
        picture.number = pictureCount
        return true
    }

    /// Says that a frame before the next one is missing: nothing is shown until a key frame.
    package func skip() {
        needsKeyFrame = true
    }

    private func damage(_ error: CodecError) -> CodecError {
        malformedCount += 1
        needsKeyFrame = true
        return error
    }

    private func copy(_ image: vpx_image_t, to picture: Picture) -> Bool {
        guard image.fmt == VPX_IMG_FMT_I420, image.d_w > 0, image.d_h > 0 else { return false }
        picture.resize(to: PictureSize(width: Int(image.d_w), height: Int(image.d_h)))
        return I420Copy(
            image.planes.0, image.stride.0, image.planes.1, image.stride.1, image.planes.2, image.stride.2,
            picture.luma, Int32(picture.lumaStride), picture.blueChroma, Int32(picture.chromaStride),
            picture.redChroma, Int32(picture.chromaStride), Int32(image.d_w), Int32(image.d_h)) == 0
    }
}
