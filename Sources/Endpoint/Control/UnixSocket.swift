import Glibc
import MediaTypes
import Realtime

/// The few calls on Unix stream sockets that the control socket needs.
enum UnixSocket {
    /// Limit of one request or answer.
    static let maximumMessageBytes = 1_048_576

    static func withAddress<Result>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws(ControlError) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .pathTooLong(path: path) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Reads until a newline, the end or the limit; nil when the other side is gone, or slower in all than the time allows.
    static func readLine(_ descriptor: Int32, timeoutMilliseconds: Int32) -> [UInt8]? {
        var line: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        let deadline = MonotonicClock.now() + .milliseconds(Int64(timeoutMilliseconds))
        while line.count < maximumMessageBytes {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, milliseconds(to: deadline)) > 0 else { return nil }
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { return line.isEmpty ? nil : line }
            if let end = part[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                return line + part[..<end]
            }
            line += part[..<count]
        }
        return nil
    }

    static func write(_ descriptor: Int32, _ text: String, timeoutMilliseconds: Int32) -> Bool {
        let bytes = Array(text.utf8)
        let deadline = MonotonicClock.now() + .milliseconds(Int64(timeoutMilliseconds))
        var sent = 0
        while sent < bytes.count {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, milliseconds(to: deadline)) > 0 else { return false }
            // Not waiting inside: the other side may take one byte at a time.
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func milliseconds(to deadline: MonotonicTime) -> Int32 {
        Int32(clamping: max(0, (deadline - MonotonicClock.now()).milliseconds))
    }

    static func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
}
