import Glibc

/// The service manager's end of the protocol: the socket of which `NOTIFY_SOCKET` tells.
final class NotifySocket {
    /// As the variable has it.
    let name: String
    private let descriptor: Int32

    /// - Parameter isAbstract: without a file, as a manager in a container has it.
    init?(isAbstract: Bool) {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let unique = "callbox-notify-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        name = isAbstract ? "@\(unique)" : "/tmp/\(unique)"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract name has no end but the length; systemd's own is bound like this.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1))
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard bound == 0 else { return nil }
    }

    deinit {
        close(descriptor)
        if name.hasPrefix("/") { unlink(name) }
    }

    /// The next datagram that is there; nil when there is none.
    func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
