import CPNG
import CYUV
import Glibc
import MediaTypes

/// Writes pictures as PNG files that are whole at every moment: a reader sees the old file or the new one.
///
/// - Thread: confined to one; never a real-time one.
package final class PNGWriter {
    private var pixels: [UInt8] = []

    package init() {}

    /// Writes a picture beside the path and renames it over the path.
    /// - Errors: `file` with `errno`, `library` when libpng cannot write.
    package func write(_ picture: Picture, to path: String) throws(CodecError) {
        let rowBytes = picture.size.width * 3
        let count = rowBytes * picture.size.height
        if pixels.count < count { pixels = [UInt8](repeating: 0, count: count) }
        let temporaryPath = path + ".part"
        let result = pixels.withUnsafeMutableBufferPointer { pixels -> Int32 in
            // libyuv calls the order red, green, blue "RAW".
            guard
                I420ToRAW(
                    picture.luma, Int32(picture.lumaStride), picture.blueChroma, Int32(picture.chromaStride),
                    picture.redChroma, Int32(picture.chromaStride), pixels.baseAddress, Int32(rowBytes),
                    Int32(picture.size.width), Int32(picture.size.height)) == 0
            else { return 0 }
            var image = png_image()
            image.version = UInt32(PNG_IMAGE_VERSION)
            image.width = UInt32(picture.size.width)
            image.height = UInt32(picture.size.height)
            image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
            // No filters and a low compression level: a snapshot a second must not cost a core.
            image.flags = UInt32(PNG_IMAGE_FLAG_FAST)
            let result = png_image_write_to_file(
                &image, temporaryPath, 0, pixels.baseAddress, Int32(rowBytes), nil)
            png_image_free(&image)
            return result
        }
        guard result != 0 else {
            let code = errno
            unlink(temporaryPath)
            throw access(directory(of: path), W_OK) != 0 ? .file(code: errno) : .library(.png, code: code)
        }
        guard rename(temporaryPath, path) == 0 else {
            let code = errno
            unlink(temporaryPath)
            throw .file(code: code)
        }
    }

    private func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
