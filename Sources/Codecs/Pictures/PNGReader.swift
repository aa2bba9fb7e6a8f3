import CPNG
import Glibc
import MediaTypes

/// Reads PNG files: placeholders, watermarks, and snapshots in tests.
package enum PNGReader {
    private static let sizes = 2...8_192

    /// The picture in a file; transparency is laid on black.
    /// - Errors: `file` when there is none or it is damaged, `unsupportedSize`.
    package static func read(_ path: String) throws(CodecError) -> Picture {
        guard access(path, R_OK) == 0 else { throw .file(code: errno) }
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        guard png_image_begin_read_from_file(&image, path) != 0 else { throw .file(code: 0) }
        defer { png_image_free(&image) }
        let size = PictureSize(width: Int(image.width), height: Int(image.height))
        guard sizes.contains(size.width), sizes.contains(size.height) else {
            throw .unsupportedSize(width: size.width, height: size.height)
        }
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
        let rowBytes = size.width * 3
        let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: rowBytes * size.height, alignment: 16)
        defer { pixels.deallocate() }
        var background = png_color()
        guard png_image_finish_read(&image, &background, pixels.baseAddress, Int32(rowBytes), nil) != 0 else {
            throw .file(code: 0)
        }
        let picture = Picture(size: size)
        try PictureConverter.convertRGB(UnsafeRawBufferPointer(pixels), size: size, into: picture)
        return picture
    }
}
