import CNetworkShims
import Glibc
import MediaTypes
import Realtime
import Synchronization

/// The thread `cb-net`: it waits for sockets and timers, and everything that touches a peer connection runs on it.
///
/// ```
/// any thread ── post ──▶ queue ─┐
/// sockets of libnice ───────────┼──▶ cb-net: one handler at a time
/// timers, readers ──────────────┘
/// ```
/// - Thread: `post`, `call`, `isCurrent` and `stopAndJoin` from any thread; the rest on `cb-net` only.
// @unchecked: the queue is behind a Mutex; `context` is thread-safe where other threads use it (wake-up) and is
// confined to cb-net otherwise.
package final class NetworkLoop: @unchecked Sendable {
    /// Most jobs that wait at any time; a healthy loop has a handful.
    package static let queueLimit = 4_096

    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var isStopped = false
    }

    /// What the thread shares with its owner; the loop object itself may be released by anyone.
    // @unchecked: the queue is under a mutex, the counter atomic, `context` never changes, `later` belongs to cb-net.
    private final class Core: @unchecked Sendable {
        let context: OpaquePointer
        let queue = Mutex(Queue())
        let dropped = Atomic<Int>(0)
        // Only on cb-net.
        var later: [() -> Void] = []

        init(context: OpaquePointer) {
            self.context = context
        }

        deinit {
            ccb_loop_free(context)
        }

        func run(until stop: StopFlag) {
            ccb_loop_enter(context)
            while !stop.isSet {
                ccb_loop_run_once(context)
                drain()
            }
            // What was posted before the stop still runs: it may free what others hold open.
            drain()
            queue.withLock { $0.isStopped = true }
            drain()
            ccb_loop_leave(context)
        }

        private func drain() {
            while true {
                let jobs = queue.withLock { queue in
                    let jobs = queue.jobs
                    queue.jobs = []
                    return jobs
                }
                let deferred = later
                later = []
                if jobs.isEmpty && deferred.isEmpty { return }
                for job in deferred { job() }
                for job in jobs { job() }
            }
        }
    }

    private let core: Core
    private let thread: RealtimeThread

    /// Starts the thread.
    /// - Errors: the system's, when there is no memory or no thread left.
    package init() throws(SystemError) {
        guard let context = ccb_loop_new() else {
            throw SystemError(code: ENOMEM, operation: "make the network loop")
        }
        let core = Core(context: context)
        self.core = core
        // libnice, OpenSSL and usrsctp keep large packets on the stack.
        thread = try RealtimeThread(
            name: "cb-net", stackBytes: 512 * 1_024, wake: { ccb_loop_wake(core.context) }
        ) { stop in
            NetworkLoop.current.set(core)
            core.run(until: stop)
            NetworkLoop.current.set(nil)
        }
    }

    /// Jobs refused because the queue was full or the loop had stopped.
    package var droppedCount: Int { core.dropped.load(ordering: .relaxed) }

    /// Runs `work` on `cb-net` soon, after everything posted before it.
    /// - Returns: false when the loop has stopped or its queue is full; the work is then not done.
    @discardableResult
    package func post(_ work: @escaping @Sendable () -> Void) -> Bool {
        let isTaken = core.queue.withLock { queue in
            guard !queue.isStopped, queue.jobs.count < NetworkLoop.queueLimit else { return false }
            queue.jobs.append(work)
            return true
        }
        if isTaken {
            ccb_loop_wake(core.context)
        } else {
            core.dropped.wrappingAdd(1, ordering: .relaxed)
        }
        return isTaken
    }

    /// Runs `work` on `cb-net` and waits, without holding a thread, for its result; nil when the loop has stopped.
    package func call<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            if !post({ continuation.resume(returning: work()) }) { continuation.resume(returning: nil) }
        }
    }

    /// Whether the calling thread is this loop's.
    package var isCurrent: Bool { NetworkLoop.current.get() === core }

    /// Stops the thread and waits for it; what was posted before still runs. Further calls do nothing.
    /// - Thread: any but `cb-net`.
    package func stopAndJoin() {
        thread.requestStop()
        ccb_loop_wake(core.context)
        thread.stopAndJoin()
    }

    /// Makes a timer, not yet set.
    package func makeTimer(_ handler: @escaping () -> Void) -> NetworkTimer {
        checkThread()
        return NetworkTimer(context: core.context, handler: handler)
    }

    /// Calls `handler` whenever the descriptor is readable or broken, until the reader is cancelled.
    package func addReader(fileDescriptor: Int32, _ handler: @escaping () -> Void) -> NetworkReader {
        checkThread()
        return NetworkReader(context: core.context, fileDescriptor: fileDescriptor, handler: handler)
    }

    /// Runs `work` after the handler that runs now has returned: for what may not happen inside a library's callback.
    func later(_ work: @escaping () -> Void) {
        checkThread()
        core.later.append(work)
        ccb_loop_wake(core.context)
    }

    var context: OpaquePointer { core.context }

    func checkThread() {
        precondition(isCurrent, "a peer connection lives on cb-net")
    }

    /// The core of the loop which the calling thread runs, if it runs one.
    private static let current = CurrentLoop()

    // @unchecked: `key` is written once, in init.
    private final class CurrentLoop: @unchecked Sendable {
        private var key = pthread_key_t()

        init() {
            let result = pthread_key_create(&key, nil)
            precondition(result == 0, "the process has a few thread keys to give")
        }

        func set(_ core: Core?) {
            pthread_setspecific(key, core.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
        }

        func get() -> Core? {
            pthread_getspecific(key).map { Unmanaged<Core>.fromOpaque($0).takeUnretainedValue() }
        }
    }
}
