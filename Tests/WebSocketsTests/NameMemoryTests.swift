import Synchronization
import Testing

@testable import WebSockets

@Suite(.serialized, .timeLimit(.minutes(2))) struct NameMemoryTests {
    /// RFC 6761: never the name of anything.
    private let host = "callbox-test.invalid"

    private func opening(_ url: String, _ names: NameMemory?) async throws -> ClientRecorder.State {
        let seen = Mutex<ClientRecorder.State?>(nil)
        try await withClient(url, { $0.names = names }) { _, recorder in
            #expect(await eventually { recorder.now.isOpen || recorder.now.failure != nil })
            seen.withLock { $0 = recorder.now }
        }
        return try #require(seen.withLock { $0 })
    }

    @Test func aNameThatNobodyKnowsAnyMoreIsReachedAtItsLastAddress() async throws {
        try await withEchoServer({ $0.isLoopbackOnly = false }) { server, _ in
            let start = ContinuousClock.now
            let unknown = try await opening("ws://\(host):\(server.port)", NameMemory())
            let took = ContinuousClock.now - start
            print("\(String(describing: unknown.failure)) after \(took)")
            switch unknown.failure {
            case .nameNotFound, .nameServerUnreachable: break
            default: Issue.record("\(String(describing: unknown.failure))")
            }
            #expect(took < .seconds(8))

            let names = NameMemory()
            names.remember(NameLookup.Address(text: "127.0.0.1", isIPv6: false), for: host)
            let again = ContinuousClock.now
            let known = try await opening("ws://\(host):\(server.port)", names)
            #expect(known.isOpen)
            #expect(ContinuousClock.now - again < .seconds(4))
            // What does not answer either is no reason to forget why the name server was not asked further.
            names.remember(NameLookup.Address(text: "127.0.0.1", isIPv6: false), for: host)
            let failure = try await opening("ws://\(host):1", names).failure
            #expect(failure == .nameNotFound(host: host) || failure == .nameServerUnreachable(host: host))
        }
    }

    @Test func theAddressThatAnsweredIsRememberedAndOneThatDoesNotIsPassedOver() async throws {
        try await withEchoServer { server, _ in
            let names = NameMemory()
            // Nobody listens there.
            names.remember(NameLookup.Address(text: "127.9.9.9", isIPv6: false), for: "localhost")
            let opened = try await opening("ws://localhost:\(server.port)", names)
            #expect(opened.isOpen)
            let address = names.lastGood(for: "localhost")?.text
            #expect(address == "127.0.0.1" || address == "::1")
        }
    }
}
