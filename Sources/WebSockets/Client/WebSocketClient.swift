import Realtime
import Synchronization

/// One client connection on one thread of its own (`cb-signal`): from the name look-up to its end. A new connection is a
/// new client.
///
/// - Thread: every method may be called on any thread, and never blocks.
package final class WebSocketClient: Sendable {
    private struct State {
        var thread: RealtimeThread?
        var isFinished = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let inbox = ClientInbox()
    private let waker = LoopWaker()
    private let state = Mutex(State())
    private let configuration: WebSocketClientConfiguration

    package init(_ configuration: WebSocketClientConfiguration) {
        self.configuration = configuration
    }

    /// Starts the thread, which connects. Once only; `stop()` must follow.
    package func start(handler: any WebSocketClientHandler) throws(WebSocketError) {
        LibraryLog.route
        let start = ClientLoop.Start(configuration: configuration, handler: handler, inbox: inbox, waker: waker)
        do {
            // The resolver needs more stack than our own threads.
            let thread = try RealtimeThread(
                name: "cb-signal", stackBytes: 512 * 1024, endsByItself: true
            ) { [self] stop in
                ClientLoop(start).run(turning: stop)
                finish()
            }
            state.withLock { $0.thread = thread }
        } catch {
            throw .system(code: error.code, operation: "start the thread of a WebSocket client")
        }
    }

    /// Queues a text message. False: the connection is closing, or the server does not read.
    @discardableResult package func send(_ text: String) -> Bool {
        let (isTaken, needsWake) = inbox.append(text, maximumBytes: configuration.maximumQueueBytes)
        if needsWake { waker.wake() }
        return isTaken
    }

    /// Closes after what is queued; gives up an attempt to connect. The handler hears of it.
    package func close(code: UInt16 = 1000) {
        if inbox.close(code: code) { waker.wake() }
    }

    /// Closes, and returns when the thread has ended. Further calls return then too.
    ///
    /// Also during a name look-up: that one goes on by itself, and nobody hears its answer.
    package func stop() async {
        close()
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished && state.thread != nil { state.waiting.append(continuation) }
                return state.isFinished || state.thread == nil
            }
            if isFinished { continuation.resume() }
        }
        // Its body is over: this takes microseconds.
        state.withLock { $0.thread }?.stopAndJoin()
    }

    private func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
