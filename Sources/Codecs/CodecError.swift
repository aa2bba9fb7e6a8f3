/// What goes wrong in a codec or a picture tool, apart from bugs.
package enum CodecError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes are not what they should be; input from outside, to be counted and dropped.
    case malformed
    /// The picture is larger than this endpoint is willing to handle, or its size is impossible in its format.
    case unsupportedSize(width: Int, height: Int)
    /// There is no memory for a codec of that size.
    case outOfMemory
    /// A library refused; the code is its own.
    case library(Library, code: Int32)
    /// A file could not be written or read; the code is `errno`, or 0 when its content is at fault.
    case file(code: Int32)

    /// Where a library's error comes from.
    package enum Library: String, Sendable {
        case opus = "libopus"
        case vpx = "libvpx"
        case yuv = "libyuv"
        case png = "libpng"
        case sampleRate = "libsamplerate"
        case freeType = "freetype"
    }

    package var description: String {
        switch self {
        case .malformed: "malformed data"
        case .unsupportedSize(let width, let height): "unsupported picture size \(width)x\(height)"
        case .outOfMemory: "out of memory"
        case .library(let library, let code): "\(library.rawValue) error \(code)"
        case .file(let code): code == 0 ? "not a readable picture file" : "file error \(code)"
        }
    }
}
