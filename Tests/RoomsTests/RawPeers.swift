import Glibc
import LobbyProtocol
import WebSockets

private func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
}

private func sendAll(_ bytes: [UInt8], on descriptor: Int32) {
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
}

/// A participant that joins by hand and then never says anything: not even a pong.
final class RawLobbyClient: Sendable {
    private let descriptor: Int32

    init(port: UInt16, id: String) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: port)
        let descriptor = descriptor
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0)
            }
        }
        sendAll(
            Array(
                ("GET /ws HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Sec-WebSocket-Protocol: callbox-lobby\r\n\r\n").utf8), on: descriptor)
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = recv(descriptor, &buffer, buffer.count, 0)
        let join = Array(LobbyRequest(.join(LobbyJoin(room: "r", participantID: id))).text.utf8)
        precondition(join.count < 126, "a longer frame has another form")
        // The mask is zero, which RFC 6455 allows.
        var frame: [UInt8] = [0x81, 0x80 | UInt8(join.count), 0, 0, 0, 0]
        frame += join
        sendAll(frame, on: descriptor)
    }

    deinit { close(descriptor) }

    func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A TCP server on 127.0.0.1 that says what a test wants.
final class RawServer: Sendable {
    private let listener: Int32
    let port: UInt16

    init() {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
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

    /// Accepts one WebSocket, waits for its first message and sends these; the result is to be closed.
    func answerHandshake(thenSend texts: [String]) -> Int32 {
        let connection = accept(listener, nil, nil)
        var buffer = [UInt8](repeating: 0, count: 8192)
        let count = recv(connection, &buffer, buffer.count, 0)
        let request = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
        let line = request.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
        let accept = HandshakeKey.acceptValue(for: line?.split(separator: " ").last.map(String.init) ?? "")
        sendAll(
            Array(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(accept)\r\nSec-WebSocket-Protocol: callbox-lobby\r\n\r\n").utf8),
            on: connection)
        _ = recv(connection, &buffer, buffer.count, 0)
        for text in texts {
            let bytes = Array(text.utf8)
            let length: [UInt8] =
                bytes.count < 126 ? [UInt8(bytes.count)] : [126, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
            sendAll([0x81] + length + bytes, on: connection)
        }
        return connection
    }
}
