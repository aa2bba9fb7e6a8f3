import Glibc

/// A TCP connection that says exactly what a test wants, also what no library would say.
final class RawConnection {
    let descriptor: Int32

    /// Connects to 127.0.0.1.
    init(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(result == 0, "cannot connect to the server under test")
        var limit = timeval(tv_sec: 15, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What comes until `end` is found, the other side closes (nil afterwards) or 15 s are over.
    func read(until end: String) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while !String(decoding: bytes, as: UTF8.self).contains(end) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Everything until the other side closes.
    func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// A WebSocket handshake; returns the response's head.
    func upgrade(
        port: UInt16, path: String = "/ws", host: String? = nil, extra: String = "", subprotocol: String? = "test"
    ) -> String {
        send(
            "GET \(path) HTTP/1.1\r\nHost: \(host ?? "localhost:\(port)")\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + (subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? "") + extra + "\r\n")
        return read(until: "\r\n\r\n")
    }

    /// One masked frame (the mask is zero, which RFC 6455 allows).
    func sendFrame(opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, announced: Int? = nil) {
        var frame: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
        let count = announced ?? payload.count
        switch count {
        case ..<126: frame.append(0x80 | UInt8(count))
        case ..<65536: frame += [UInt8(0x80 | 126), UInt8(count >> 8), UInt8(count & 255)]
        default:
            frame.append(0x80 | 127)
            frame += (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
        }
        send(frame + [0, 0, 0, 0] + payload)
    }

    /// The code of the first close frame among what the server sends (short unmasked frames).
    func readCloseCode() -> UInt16? {
        let bytes = readToEnd()
        var position = 0
        while position + 1 < bytes.count {
            let count = Int(bytes[position + 1])
            if bytes[position] == 0x88 && count >= 2 {
                return UInt16(bytes[position + 2]) << 8 | UInt16(bytes[position + 3])
            }
            position += 2 + count
        }
        return nil
    }
}

/// A TCP server on 127.0.0.1 that accepts and says what a test wants.
final class RawServer: Sendable {
    private let listener: Int32
    let port: UInt16

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(bind(listener, $0, size) == 0 && listen(listener, 8) == 0)
                getsockname(listener, $0, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(listener) }

    /// Accepts one connection, reads its request and answers; the connection stays open until the result is closed.
    func answer(_ text: (String) -> String) -> Int32 {
        let connection = accept(listener, nil, nil)
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = recv(connection, &buffer, buffer.count, 0)
        let reply = Array(text(String(decoding: buffer[..<max(0, count)], as: UTF8.self)).utf8)
        _ = send(connection, reply, reply.count, Int32(MSG_NOSIGNAL))
        return connection
    }
}
