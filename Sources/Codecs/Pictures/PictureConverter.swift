import CYUV
import MediaTypes

/// Turns what cameras and files deliver into I420.
///
/// - Thread: any, when nobody else uses the picture.
/// - Errors: `malformed` when the bytes do not fill a picture of that size, or are no JPEG of that size;
///   `unsupportedSize` when the format cannot have such a size.
package enum PictureConverter {
    private static let sizes = 2...8_192

    /// Converts one camera picture; the target takes its size.
    /// - Parameter strideBytes: from one row to the next in the first plane (of I420: of luma; chroma rows have half);
    ///   nil when rows are not padded. Not used for MJPEG.
    package static func convert(
        _ bytes: UnsafeRawBufferPointer, format: PixelFormat, size: PictureSize, strideBytes: Int? = nil,
        into picture: Picture
    ) throws(CodecError) {
        guard sizes.contains(size.width), sizes.contains(size.height) else {
            throw .unsupportedSize(width: size.width, height: size.height)
        }
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw .malformed }
        let rowBytes = format == .yuyv ? size.width * 2 : size.width
        let stride = strideBytes ?? rowBytes
        guard stride >= rowBytes, stride <= 1 << 20 else { throw .malformed }
        switch format {
        case .i420: try convertI420(base, count: bytes.count, stride: stride, size: size, into: picture)
        case .nv12: try convertNV12(base, count: bytes.count, stride: stride, size: size, into: picture)
        case .yuyv: try convertYUYV(base, count: bytes.count, stride: stride, size: size, into: picture)
        case .mjpeg: try convertMJPEG(base, count: bytes.count, size: size, into: picture)
        }
    }

    /// Converts packed 8-bit red, green, blue; the target takes the size.
    /// - Parameter strideBytes: from one row to the next; nil when rows are not padded.
    package static func convertRGB(
        _ bytes: UnsafeRawBufferPointer, size: PictureSize, strideBytes: Int? = nil, into picture: Picture
    ) throws(CodecError) {
        guard sizes.contains(size.width), sizes.contains(size.height) else {
            throw .unsupportedSize(width: size.width, height: size.height)
        }
        let rowBytes = size.width * 3
        let stride = strideBytes ?? rowBytes
        guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), stride >= rowBytes,
            bytes.count >= stride * (size.height - 1) + rowBytes
        else { throw .malformed }
        picture.resize(to: size)
        // libyuv calls the order red, green, blue "RAW".
        let result = RAWToI420(
            base, Int32(stride), picture.luma, Int32(picture.lumaStride), picture.blueChroma,
            Int32(picture.chromaStride), picture.redChroma, Int32(picture.chromaStride), Int32(size.width),
            Int32(size.height))
        guard result == 0 else { throw .library(.yuv, code: result) }
    }

    /// Writes a part of a picture as XRGB (blue, green, red, unused in memory) to the same place of a larger memory, which
    /// is not read.
    /// - Parameter pixels: the first pixel of the whole picture.
    package static func writeXRGB(
        _ rectangle: PictureRectangle, of picture: Picture, into pixels: UnsafeMutablePointer<UInt8>, strideBytes: Int
    ) {
        precondition(rectangle.isInside(picture.size), "the rectangle lies inside the picture")
        precondition(rectangle.x % 2 == 0 && rectangle.y % 2 == 0, "the rectangle begins on a chroma sample")
        let chroma = rectangle.y / 2 * picture.chromaStride + rectangle.x / 2
        // libyuv names colours from the highest byte of a little-endian word on: its ARGB.
        let result = I420ToARGB(
            picture.luma + rectangle.y * picture.lumaStride + rectangle.x, Int32(picture.lumaStride),
            picture.blueChroma + chroma, Int32(picture.chromaStride), picture.redChroma + chroma,
            Int32(picture.chromaStride), pixels + rectangle.y * strideBytes + rectangle.x * 4, Int32(strideBytes),
            Int32(rectangle.width), Int32(rectangle.height))
        precondition(result == 0, "libyuv converts a picture of a real size")
    }

    private static func convertI420(
        _ base: UnsafePointer<UInt8>, count: Int, stride: Int, size: PictureSize, into picture: Picture
    ) throws(CodecError) {
        let chromaWidth = (size.width + 1) / 2
        let chromaHeight = (size.height + 1) / 2
        let chromaStride = (stride + 1) / 2
        let blue = stride * size.height
        let red = blue + chromaStride * chromaHeight
        guard count >= red + chromaStride * (chromaHeight - 1) + chromaWidth else { throw .malformed }
        picture.resize(to: size)
        let result = I420Copy(
            base, Int32(stride), base + blue, Int32(chromaStride), base + red, Int32(chromaStride), picture.luma,
            Int32(picture.lumaStride), picture.blueChroma, Int32(picture.chromaStride), picture.redChroma,
            Int32(picture.chromaStride), Int32(size.width), Int32(size.height))
        guard result == 0 else { throw .library(.yuv, code: result) }
    }

    private static func convertNV12(
        _ base: UnsafePointer<UInt8>, count: Int, stride: Int, size: PictureSize, into picture: Picture
    ) throws(CodecError) {
        let chromaHeight = (size.height + 1) / 2
        let chromaRowBytes = (size.width + 1) / 2 * 2
        let chromaStride = max(stride, chromaRowBytes)
        let chroma = stride * size.height
        guard count >= chroma + chromaStride * (chromaHeight - 1) + chromaRowBytes else { throw .malformed }
        picture.resize(to: size)
        let result = NV12ToI420(
            base, Int32(stride), base + chroma, Int32(chromaStride), picture.luma, Int32(picture.lumaStride),
            picture.blueChroma, Int32(picture.chromaStride), picture.redChroma, Int32(picture.chromaStride),
            Int32(size.width), Int32(size.height))
        guard result == 0 else { throw .library(.yuv, code: result) }
    }

    private static func convertYUYV(
        _ base: UnsafePointer<UInt8>, count: Int, stride: Int, size: PictureSize, into picture: Picture
    ) throws(CodecError) {
        // Two pixels share four bytes.
        guard size.width % 2 == 0 else { throw .unsupportedSize(width: size.width, height: size.height) }
        guard count >= stride * (size.height - 1) + size.width * 2 else { throw .malformed }
        picture.resize(to: size)
        let result = YUY2ToI420(
            base, Int32(stride), picture.luma, Int32(picture.lumaStride), picture.blueChroma,
            Int32(picture.chromaStride), picture.redChroma, Int32(picture.chromaStride), Int32(size.width),
            Int32(size.height))
        guard result == 0 else { throw .library(.yuv, code: result) }
    }

    private static func convertMJPEG(
        _ base: UnsafePointer<UInt8>, count: Int, size: PictureSize, into picture: Picture
    ) throws(CodecError) {
        var width: Int32 = 0
        var height: Int32 = 0
        // libyuv catches libjpeg's errors; what it cannot read it answers with a result other than 0.
        guard MJPGSize(base, count, &width, &height) == 0, Int(width) == size.width, Int(height) == size.height else {
            throw .malformed
        }
        picture.resize(to: size)
        let result = MJPGToI420(
            base, count, picture.luma, Int32(picture.lumaStride), picture.blueChroma, Int32(picture.chromaStride),
            picture.redChroma, Int32(picture.chromaStride), width, height, width, height)
        guard result == 0 else { throw .malformed }
        limitRange(of: picture)
    }

    /// JPEG uses all 256 values (JFIF), video 16 … 235 for luma and 16 … 240 for chroma (BT.601): without this, dark
    /// and bright parts of a camera's picture would lose their detail on the far side.
    private static func limitRange(of picture: Picture) {
        limit(picture.luma, count: picture.lumaStride * picture.size.height, factor: 220)
        limit(picture.blueChroma, count: picture.chromaStride * picture.chromaHeight, factor: 225)
        limit(picture.redChroma, count: picture.chromaStride * picture.chromaHeight, factor: 225)
    }

    private static func limit(_ plane: UnsafeMutablePointer<UInt8>, count: Int, factor: UInt16) {
        for index in 0..<count {
            plane[index] = UInt8(truncatingIfNeeded: (UInt16(plane[index]) &* factor) >> 8 &+ 16)
        }
    }
}
