import LobbyProtocol
import MediaTypes
import Synchronization
import Testing
import WebSockets

@testable import Lobby

/// A client that keeps the first messages, or the reason of its failure.
private final class Client: WebSocketClientHandler {
    let texts = Mutex<[String]>([])
    let failure = Mutex<WebSocketError?>(nil)

    func opened(at now: MonotonicTime) {}
    func failed(_ error: WebSocketError) { failure.withLock { $0 = error } }
    func received(_ text: UnsafeRawBufferPointer, at now: MonotonicTime) {
        let text = String(decoding: text, as: UTF8.self)
        texts.withLock { $0.append(text) }
    }
    func closed(_ closure: WebSocketClosure) {}
    func ticked(at now: MonotonicTime) {}
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct LobbyServerTests {
    private let key = LobbyKey(name: "api", secret: Array("0123456789abcdef0123456789abcdef".utf8))

    /// Joins, and gives the lobby's first answer.
    private func answer(url: String, trust: ServerTrust = .system) async throws -> String {
        let client = WebSocketClient(
            WebSocketClientConfiguration(
                url: try WebSocketURL(url, defaultPath: LobbyLimits.path), subprotocol: LobbyLimits.subprotocol,
                trust: trust))
        let handler = Client()
        try client.start(handler: handler)
        client.send(LobbyRequest(request: 1, .join(LobbyJoin(room: "r", participantID: "a"))).text)
        var first: String?
        for _ in 0..<2000 where first == nil {
            try await Task.sleep(nanoseconds: 5_000_000)
            first = handler.texts.withLock { $0.first } ?? handler.failure.withLock { $0.map { "failed: \($0)" } }
        }
        await client.stop()
        return first.map { $0.hasPrefix("failed") ? $0 : LobbyTable.summary($0) } ?? "nothing"
    }

    @Test func aLobbyWithoutKeysServesThisMachineOnly() async throws {
        for address in ["0.0.0.0", "::", "192.0.2.1", "10.0.0.1"] {
            let lobby = LobbyServer(LobbyConfiguration(address: address, port: 0))
            #expect(throws: LobbyError.keyNeeded(address: address)) { try lobby.start() }
        }
        for address in [nil, "localhost", "127.0.0.1"] {
            let lobby = LobbyServer(LobbyConfiguration(address: address, port: 0))
            try lobby.start()
            defer { lobby.stop() }
            #expect(try await answer(url: "ws://127.0.0.1:\(lobby.port)") == "joined a beside []")
        }
    }

    @Test func aLobbyWithKeysServesEveryAddressAndWantsTokens() async throws {
        let lobby = LobbyServer(LobbyConfiguration(port: 0, keys: [key]))
        try lobby.start()
        defer { lobby.stop() }
        #expect(try await answer(url: "ws://127.0.0.1:\(lobby.port)") == "error refusedToken")
        #expect(try await answer(url: "ws://[::1]:\(lobby.port)") == "error refusedToken")
    }

    @Test func aPortInUseIsTold() throws {
        let first = LobbyServer(LobbyConfiguration(port: 0))
        try first.start()
        defer { first.stop() }
        let second = LobbyServer(LobbyConfiguration(port: first.port))
        let error = thrown(LobbyError.self) { try second.start() }
        #expect(error?.description == "port \(first.port) of 127.0.0.1 is in use by another program")
        second.stop()
    }

    @Test func aSelfMadeCertificateIsTrustedByTheFingerprintThatIsTold() async throws {
        let lobby = LobbyServer(LobbyConfiguration(port: 0, tls: .selfMade(names: ["localhost"], keptAt: nil)))
        try lobby.start()
        defer { lobby.stop() }
        let fingerprint = try #require(lobby.certificateFingerprint)
        let url = "wss://localhost:\(lobby.port)"
        #expect(try await answer(url: url, trust: .pinned(fingerprint: fingerprint)) == "joined a beside []")
        #expect(try await answer(url: url).hasPrefix("failed: the server's certificate is not trusted"))
        #expect(lobby.link(room: "a b/ä") == "https://localhost:\(lobby.port)/#/a%20b%2F%C3%A4")
    }

    @Test func thePageIsServed() {
        #expect(PageAssets.files.contains { $0.path == "/" && $0.contentType.hasPrefix("text/html") })
        #expect(Set(PageAssets.files.map(\.path)).count == PageAssets.files.count)
        #expect(PageAssets.files.allSatisfy { $0.path.hasPrefix("/") })
    }

    @Test func startingAndStoppingAgainWorks() async throws {
        let lobby = LobbyServer(LobbyConfiguration(port: 0))
        for _ in 0..<5 {
            try lobby.start()
            #expect(try await answer(url: "ws://localhost:\(lobby.port)") == "joined a beside []")
            lobby.stop()
            lobby.stop()
        }
    }
}
