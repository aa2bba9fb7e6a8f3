import Glibc
import MediaTypes
import Realtime
import Synchronization
import Testing

@testable import WebSockets

/// A name server that swallows every question: in a network and with files of its own, so that nothing else notices.
@Suite(.serialized, .timeLimit(.minutes(2))) struct NameServerTests {
    private final class Permission: Sendable {
        let isGiven = Atomic<Bool>(false)
    }

    /// Clients that are done with. They are stopped from the test's own network: a task that the thread in the other one made
    /// could start a thread of Swift's pool there, and later tests would run on it.
    private final class Finished: Sendable {
        let clients = Mutex<[WebSocketClient]>([])
    }

    private let finished = Finished()

    @Test func aNameServerThatSaysNothingHoldsNobodyUpForLong() async throws {
        let permission = Permission()
        let done = try EventSignal()
        let thread = try RealtimeThread(name: "cb-test-netns", stackBytes: 1 << 20) { _ in
            if enterSilentNetwork() {
                permission.isGiven.store(true, ordering: .relaxed)
                do {
                    try meetSilence()
                } catch {
                    Issue.record("\(error)")
                }
            }
            done.signal()
        }
        // Blocks a thread of the pool, and makes none.
        let isDone = done.wait(timeoutMilliseconds: 100_000)
        #expect(isDone)
        thread.stopAndJoin()
        for client in finished.clients.withLock({ $0 }) { await client.stop() }
        if !permission.isGiven.load(ordering: .relaxed) {
            print("SKIPPED: no network and mount namespaces or no iproute2 here: a silent name server is not tested")
        }
    }

    private func meetSilence() throws {
        let server = WebSocketServer(WebSocketServerConfiguration(port: 0, isLoopbackOnly: false, subprotocol: "test"))
        try server.start(handler: EchoHandler(server))
        defer { server.stop() }
        let url = try WebSocketURL("ws://lobby.example:\(server.port)/ws")
        let names = NameMemory()

        let start = MonotonicClock.now()
        let first = try attempt(url, names)
        let took = MonotonicClock.now() - start
        print("\(String(describing: first.failure)) after \(took.milliseconds) ms")
        #expect(first.failure == .nameServerUnreachable(host: "lobby.example"))
        #expect(took > .seconds(4) && took < .seconds(7))

        // Given up in the middle: at once.
        let client = WebSocketClient(WebSocketClientConfiguration(url: url, subprotocol: "test", names: names))
        let recorder = ClientRecorder()
        try client.start(handler: recorder)
        usleep(500_000)
        let giveUp = MonotonicClock.now()
        client.close()
        while recorder.now.failure == nil && MonotonicClock.now() - giveUp < .seconds(10) { usleep(1_000) }
        let gaveUp = MonotonicClock.now() - giveUp
        print("given up in \(gaveUp.milliseconds) ms")
        #expect(gaveUp < .seconds(1))
        end(client)

        names.remember(NameLookup.Address(text: "127.0.0.1", isIPv6: false), for: "lobby.example")
        let again = MonotonicClock.now()
        #expect(try attempt(url, names).isOpen)
        let reached = MonotonicClock.now() - again
        print("reached at the last good address after \(reached.milliseconds) ms")
        #expect(reached < .seconds(3))
    }

    /// On the thread with the network of its own: threads that it starts inherit it.
    private func attempt(_ url: WebSocketURL, _ names: NameMemory) throws -> ClientRecorder.State {
        let client = WebSocketClient(WebSocketClientConfiguration(url: url, subprotocol: "test", names: names))
        let recorder = ClientRecorder()
        try client.start(handler: recorder)
        let start = MonotonicClock.now()
        while !recorder.now.isOpen && recorder.now.failure == nil && MonotonicClock.now() - start < .seconds(20) {
            usleep(1_000)
        }
        let state = recorder.now
        end(client)
        return state
    }

    private func end(_ client: WebSocketClient) {
        client.close()
        finished.clients.withLock { $0.append(client) }
    }
}

/// Gives the calling thread a network with a name server whose packets go nowhere. Swift does not see unshare(2).
private func enterSilentNetwork() -> Bool {
    typealias Unshare = @convention(c) (Int32) -> Int32
    guard let symbol = dlsym(nil, "unshare") else { return false }
    let (newNetwork, newFiles): (Int32, Int32) = (0x4000_0000, 0x0002_0000)
    guard unsafeBitCast(symbol, to: Unshare.self)(newNetwork | newFiles) == 0 else { return false }
    var name = Array("/tmp/callbox-resolv-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { return false }
    let text = Array("nameserver 192.0.2.53\n".utf8)
    _ = write(file, text, text.count)
    close(file)
    let path = String(decoding: name.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    defer { unlink(path) }
    return run(
        """
        mount --make-rprivate / && mount --bind \(path) /etc/resolv.conf && ip link set lo up &&
        ip link add eth7 type veth peer name far7 && ip link set eth7 up && ip link set far7 up &&
        ip addr add 192.0.2.1/24 dev eth7 && ip neigh add 192.0.2.53 lladdr 02:00:00:00:00:53 dev eth7 nud permanent
        """)
}

private func run(_ script: String) -> Bool {
    var pid = pid_t()
    let texts = ["sh", "-c", script]
    var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    guard posix_spawnp(&pid, "sh", nil, nil, &words, environ) == 0 else { return false }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    return status == 0
}
