import Glibc

/// What this process has open, from `/proc`.
enum OpenDescriptors {
    /// How many descriptors of the process lead to this file.
    static func count(of path: String) -> Int {
        guard let directory = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [UInt8](repeating: 0, count: 1_024)
            let length = target.withUnsafeMutableBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) { characters in
                    // The buffer has 1,024 bytes, so it has an address.
                    readlink("/proc/self/fd/\(name)", characters.baseAddress!, characters.count)
                }
            }
            if length > 0 && String(decoding: target[..<length], as: UTF8.self) == path { count += 1 }
        }
        return count
    }
}
