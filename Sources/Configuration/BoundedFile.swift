import Glibc

/// Why a file could not be read, in words that do not repeat its content.
package enum FileReadError: Error, Hashable, Sendable, CustomStringConvertible {
    case system(code: Int32)
    case directory
    case tooLarge(maximumBytes: Int)
    case empty
    case malformed(String)

    package var description: String {
        switch self {
        case .system(let code): "cannot be read: \(String(cString: strerror(code)))"
        case .directory: "cannot be read: it is a directory"
        case .tooLarge(let maximumBytes): "the file is too large; allowed: at most \(maximumBytes / 1_024) KiB"
        case .empty: "the file is empty"
        case .malformed(let reason): reason
        }
    }
}

/// Reads whole files that are known to be small.
enum BoundedFile {
    static func read(_ path: String, maximumBytes: Int) throws(FileReadError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(code: errno) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
        var count = 0
        while count < bytes.count {
            let length = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            // Taken at once: releasing memory may change it.
            let code = errno
            if length == 0 { break }
            guard length > 0 else {
                if code == EINTR { continue }
                throw code == EISDIR ? .directory : .system(code: code)
            }
            count += length
        }
        guard count <= maximumBytes else { throw .tooLarge(maximumBytes: maximumBytes) }
        return Array(bytes[..<count])
    }
}
