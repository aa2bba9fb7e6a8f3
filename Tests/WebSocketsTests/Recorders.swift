import MediaTypes
import Synchronization
import WebSockets

/// Waits, up to 20 s, until something holds.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<4000 {
        if condition() { return true }
        try? await Task.sleep(nanoseconds: 5_000_000)
    }
    return condition()
}

/// A server's handler that echoes, and keeps what happened.
final class EchoHandler: WebSocketServerHandler {
    struct State {
        var opened: [WebSocketID] = []
        var closed: [WebSocketClosure] = []
        var received = 0
    }

    let server: WebSocketServer
    private let state = Mutex(State())
    /// What to say to a message instead of itself.
    private let reply: @Sendable (String) -> [String]

    init(_ server: WebSocketServer, reply: @escaping @Sendable (String) -> [String] = { [$0] }) {
        self.server = server
        self.reply = reply
    }

    var now: State { state.withLock { $0 } }

    func opened(_ connection: WebSocketID, at now: MonotonicTime) {
        state.withLock { $0.opened.append(connection) }
    }

    func received(_ text: UnsafeRawBufferPointer, from connection: WebSocketID, at now: MonotonicTime) {
        state.withLock { $0.received += 1 }
        let text = String(decoding: text, as: UTF8.self)
        if text == "close me" { return server.close(connection, code: 4400, reason: "as you wish") }
        for answer in reply(text) { server.send(answer, to: connection) }
    }

    func closed(_ connection: WebSocketID, _ closure: WebSocketClosure, at now: MonotonicTime) {
        state.withLock { $0.closed.append(closure) }
    }

    func ticked(at now: MonotonicTime) {}
}

/// A client's handler that keeps what happened.
final class ClientRecorder: WebSocketClientHandler {
    struct State {
        var isOpen = false
        var failure: WebSocketError?
        var closure: WebSocketClosure?
        var texts: [String] = []
        var endings = 0
    }

    private let state = Mutex(State())
    var now: State { state.withLock { $0 } }

    func opened(at now: MonotonicTime) { state.withLock { $0.isOpen = true } }
    func failed(_ error: WebSocketError) {
        state.withLock {
            $0.failure = error
            $0.endings += 1
        }
    }
    func received(_ text: UnsafeRawBufferPointer, at now: MonotonicTime) {
        let text = String(decoding: text, as: UTF8.self)
        state.withLock { $0.texts.append(text) }
    }
    func closed(_ closure: WebSocketClosure) {
        state.withLock {
            $0.closure = closure
            $0.endings += 1
        }
    }
    func ticked(at now: MonotonicTime) {}
}

/// A server with an echo, and clients for it.
func withEchoServer(
    _ change: (inout WebSocketServerConfiguration) -> Void = { _ in },
    reply: @escaping @Sendable (String) -> [String] = { [$0] },
    _ body: (WebSocketServer, EchoHandler) async throws -> Void
) async throws {
    var configuration = WebSocketServerConfiguration(port: 0, isLoopbackOnly: true, subprotocol: "test")
    change(&configuration)
    let server = WebSocketServer(configuration)
    let handler = EchoHandler(server, reply: reply)
    try server.start(handler: handler)
    defer { server.stop() }
    try await body(server, handler)
}

func withClient(
    _ url: String, trust: ServerTrust = .system, _ change: (inout WebSocketClientConfiguration) -> Void = { _ in },
    _ body: (WebSocketClient, ClientRecorder) async throws -> Void
) async throws {
    var configuration = WebSocketClientConfiguration(
        url: try WebSocketURL(url, defaultPath: "/ws"), subprotocol: "test", trust: trust)
    change(&configuration)
    let client = WebSocketClient(configuration)
    let recorder = ClientRecorder()
    try client.start(handler: recorder)
    do {
        try await body(client, recorder)
    } catch {
        await client.stop()
        throw error
    }
    await client.stop()
}
