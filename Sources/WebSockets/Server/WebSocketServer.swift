import CWebSocketShims
import Glibc
import Realtime
import Synchronization
import Telemetry

/// An HTTP server for a handful of files, and WebSockets at one path, on one thread of its own (`cb-lobby`).
///
/// ```
/// listening sockets ─accept→ libwebsockets ─HTTP→ files
///                                          └─WS──→ handler (same thread) ─send, close→ bounded queue per connection
/// ```
/// - Thread: every method may be called on any thread, and never blocks but for `start` (files) and `stop` (0.5 s).
package final class WebSocketServer: Sendable {
    private struct Running {
        var thread: RealtimeThread
        var ports: [UInt16]
        var identity: TLSIdentity?
    }

    private let configuration: WebSocketServerConfiguration
    private let inbox = ServerInbox()
    private let waker = LoopWaker()
    private let running = Mutex<Running?>(nil)
    /// The thread's own id once it runs, so that its own commands need no wake-up.
    private let loopThread = Atomic<UInt>(0)

    package init(_ configuration: WebSocketServerConfiguration) {
        self.configuration = configuration
    }

    /// The port that is listened on; 0 when stopped.
    package var port: UInt16 { running.withLock { $0?.ports.first ?? 0 } }

    /// The certificate in use.
    package var identity: TLSIdentity? { running.withLock { $0?.identity } }

    /// Listens and starts the thread. `stop()` must follow.
    /// - Errors: a port in use, an address that is not ours, an unreadable certificate.
    package func start(handler: any WebSocketServerHandler) throws(WebSocketError) {
        LibraryLog.route
        let identity: TLSIdentity? =
            if let tls = configuration.tls { try TLSIdentity.make(tls) } else { nil }
        let listeners = try ListeningSockets.open(
            address: configuration.address, port: configuration.port, isLoopbackOnly: configuration.isLoopbackOnly)
        let start = ServerLoop.Start(
            configuration: configuration, handler: handler, identity: identity, listeners: listeners.map(\.descriptor),
            inbox: inbox, waker: waker)
        // The context is made here, so that a failure is the caller's to see; the thread takes it over.
        guard let loop = ServerLoop(start) else {
            ListeningSockets.close(listeners)
            throw .system(code: ENOMEM, operation: "make a WebSocket server")
        }
        let handover = Handover(loop)
        do {
            let thread = try RealtimeThread(name: "cb-lobby") { [self] stop in
                loopThread.store(UInt(pthread_self()), ordering: .relaxed)
                handover.take()?.run(until: stop)
            }
            running.withLock {
                $0 = Running(thread: thread, ports: listeners.map(\.port), identity: identity)
            }
        } catch {
            handover.take()?.destroy()
            throw .system(code: error.code, operation: "start the thread of a WebSocket server")
        }
    }

    /// Queues a text message for one connection; nothing happens when it has gone.
    package func send(_ text: String, to connection: WebSocketID) {
        tell(.send(text, to: connection))
    }

    /// Closes one connection after what is queued for it.
    package func close(_ connection: WebSocketID, code: UInt16, reason: String) {
        tell(.close(connection, code: code, reason: reason))
    }

    /// Closes every connection (1001), the sockets and the thread. Further calls do nothing.
    /// - Thread: any that may block for half a second, but not the server's own.
    package func stop() {
        guard
            let running = running.withLock({ state -> Running? in
                defer { state = nil }
                return state
            })
        else { return }
        running.thread.requestStop()
        waker.wake()
        running.thread.stopAndJoin()
        loopThread.store(0, ordering: .relaxed)
        _ = inbox.take()
    }

    private func tell(_ command: ServerInbox.Command) {
        // The loop looks into its inbox after every event of its own.
        if inbox.append(command) && loopThread.load(ordering: .relaxed) != UInt(pthread_self()) { waker.wake() }
    }

    // Written before the thread starts, taken once by it (or by nobody else when it could not start).
    private final class Handover: @unchecked Sendable {
        private var loop: ServerLoop?
        init(_ loop: ServerLoop) { self.loop = loop }
        func take() -> ServerLoop? {
            defer { loop = nil }
            return loop
        }
    }
}
