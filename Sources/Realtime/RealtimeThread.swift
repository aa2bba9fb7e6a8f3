import CLinuxShims
import Glibc
import MediaTypes
import Synchronization

/// A named thread of its own for media, with a small stack and no signals.
///
/// The owner calls `stopAndJoin` before it lets go: stop flag → wake → join, in that order.
// @unchecked: the handle is written once, before init returns; joining happens once by the atomic flag.
package final class RealtimeThread: @unchecked Sendable {
    private static let smallestStackBytes = 64 * 1_024

    /// What the thread needs to start; owned by the thread, freed when its body returns.
    private final class Start: Sendable {
        let name: StaticString
        let priority: ThreadPriority
        let flags: StopFlag
        let isRealtime: FlagBox
        let endsByItself: Bool
        let body: @Sendable (StopFlag) -> Void

        init(
            name: StaticString, priority: ThreadPriority, flags: StopFlag, isRealtime: FlagBox, endsByItself: Bool,
            body: @escaping @Sendable (StopFlag) -> Void
        ) {
            self.name = name
            self.priority = priority
            self.flags = flags
            self.isRealtime = isRealtime
            self.endsByItself = endsByItself
            self.body = body
        }

        func run() {
            _ = name.withUTF8Buffer { ccb_set_thread_name($0.baseAddress) }
            if case .realtime(let level) = priority {
                var parameters = sched_param(sched_priority: level)
                isRealtime.set(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0)
            }
            body(flags)
            // One that ended without being told to is silent from now on, and is found.
            if endsByItself || flags.isRequested { flags.heartbeat.retire() }
        }
    }

    private final class FlagBox: Sendable {
        private let flag = Atomic<Bool>(false)
        var isSet: Bool { flag.load(ordering: .acquiring) }
        func set(_ value: Bool) { flag.store(value, ordering: .releasing) }
    }

    /// Name of the thread as the kernel and `top -H` show it.
    package let name: StaticString
    private let stopFlag: StopFlag
    private let realtimeFlag = FlagBox()
    private let wakeSignal: EventSignal?
    private let joined = Atomic<Bool>(false)
    private let handle: pthread_t

    /// Starts the thread.
    /// - Parameters:
    ///   - name: ASCII, at most 15 bytes.
    ///   - wakeSignal: signalled by `stopAndJoin` after the flag is set, and when its heartbeat is looked for: for a body
    ///     that waits on it.
    ///   - wake: the same, for a body that waits for something else.
    ///   - patience: how long one turn of the body may take.
    ///   - endsByItself: the body may return before it is told to.
    ///   - body: runs once; asks the flag in every turn, and returns soon after it is set.
    /// - Errors: the system's, when there is no memory or no thread left.
    package init(
        name: StaticString, priority: ThreadPriority = .normal, stackBytes: Int = 256 * 1_024,
        wakeSignal: EventSignal? = nil, wake: (@Sendable () -> Void)? = nil,
        patience: Interval = Heartbeat.usualPatience, endsByItself: Bool = false,
        body: @escaping @Sendable (StopFlag) -> Void
    ) throws(SystemError) {
        precondition(name.utf8CodeUnitCount <= 15, "the kernel keeps 15 bytes of a thread's name")
        self.name = name
        self.wakeSignal = wakeSignal
        let heartbeat = Heartbeat(name: name.description, patience: patience, at: MonotonicClock.now()) {
            wakeSignal?.signal()
            wake?()
        }
        stopFlag = StopFlag(heartbeat: heartbeat)
        let start = Start(
            name: name, priority: priority, flags: stopFlag, isRealtime: realtimeFlag, endsByItself: endsByItself,
            body: body)

        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // What a processor's registers and its pages ask for at least: 128 KiB on arm64.
        let least = max(RealtimeThread.smallestStackBytes, sysconf(Int32(_SC_THREAD_STACK_MIN)))
        let sized = pthread_attr_setstacksize(&attributes, max(stackBytes, least))
        precondition(sized == 0, "a stack of that size can be had")

        // Signals go to the threads that expect them: the new thread inherits a full mask.
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

        heartbeat.enrol()
        let context = Unmanaged.passRetained(start)
        var thread = pthread_t()
        let result = pthread_create(&thread, &attributes, realtimeThreadEntry, context.toOpaque())
        handle = thread
        guard result == 0 else {
            context.release()
            heartbeat.retire()
            joined.store(true, ordering: .relaxed)
            throw SystemError(code: result, operation: "start a thread")
        }
    }

    deinit {
        precondition(joined.load(ordering: .acquiring), "a thread is stopped before its owner lets go of it")
    }

    /// Whether the kernel granted SCHED_FIFO; known once the body runs.
    package var isRealtime: Bool { realtimeFlag.isSet }

    /// Tells the body to return without waiting for it; `stopAndJoin` must follow.
    package func requestStop() {
        stopFlag.set()
        wakeSignal?.signal()
    }

    /// Tells the body to return and waits until it has. Further calls do nothing.
    /// - Thread: any but this thread itself.
    package func stopAndJoin() {
        requestStop()
        guard !joined.exchange(true, ordering: .acquiringAndReleasing) else { return }
        precondition(pthread_equal(handle, pthread_self()) == 0, "a thread cannot wait for itself")
        pthread_join(handle, nil)
        stopFlag.heartbeat.retire()
    }

    fileprivate static func enter(_ context: UnsafeMutableRawPointer) {
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().run()
    }
}

private func realtimeThreadEntry(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { RealtimeThread.enter(context) }
    return nil
}
