import Glibc

/// A regular file opened for reading at any offset; closed when the handle goes.
struct InputFile: ~Copyable {
    let path: String
    /// Its length when it was opened.
    let byteCount: Int
    private let descriptor: Int32

    init(path: String) throws(DeviceError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let code = errno
            throw .invalidFile(path: path, reason: "cannot be opened: \(DeviceError.text(ofCode: code))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .invalidFile(path: path, reason: "is not a regular file")
        }
        self.path = path
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Fills `bytes` from `offset` on.
    ///
    /// - Returns: how many bytes there were; fewer than asked only at the end of the file.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(DeviceError) -> Int {
        var count = 0
        while count < bytes.count {
            // The buffer is not empty here, so it has an address.
            let result = pread(descriptor, bytes.baseAddress! + count, bytes.count - count, off_t(offset + count))
            if result < 0 {
                let code = errno
                if code == EINTR { continue }
                throw .system(name: path, operation: "read", code: code)
            }
            if result == 0 { break }
            count += result
        }
        return count
    }
}
