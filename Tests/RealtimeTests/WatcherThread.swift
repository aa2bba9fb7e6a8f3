import Glibc
import MediaTypes
import Synchronization

@testable import Realtime

/// Waits on the watchers as an endpoint's network thread does, on a thread of its own, which may be in another network.
///
/// ```
/// rtnetlink ─▶ NetworkWatcher ─▶ onNetworkChange     merged: 50 … 250 ms after the change
/// timerfd   ─▶ ClockWatcher   ─▶ onClockSet
/// ```
/// - Thread: `start` and `stop` on any, one at a time; the callbacks come on `cb-watch` and must not block or call `stop`.
final class WatcherThread: Sendable {
    private let onNetworkChange: @Sendable ([NetworkChange]) -> Void
    private let onClockSet: @Sendable () -> Void
    private let thread = Mutex<RealtimeThread?>(nil)

    init(
        onNetworkChange: @escaping @Sendable ([NetworkChange]) -> Void, onClockSet: @escaping @Sendable () -> Void
    ) {
        self.onNetworkChange = onNetworkChange
        self.onClockSet = onClockSet
    }

    /// Watches from now on, in the network namespace of the calling thread. `stop()` must follow.
    func start() throws(SystemError) {
        let wake = try EventSignal()
        // Made here, so that nothing which happens after this call is missed; used by the thread alone.
        nonisolated(unsafe) let network = try NetworkWatcher()
        // As the network's.
        nonisolated(unsafe) let clock = try ClockWatcher()
        let onNetworkChange = onNetworkChange
        let onClockSet = onClockSet
        let started = try RealtimeThread(name: "cb-watch", stackBytes: 128 * 1_024, wakeSignal: wake) { stop in
            while !stop.isSet {
                WatcherThread.wait(for: network, clock, wake)
                let now = MonotonicClock.now()
                network.receive(at: now)
                let changes = network.changes(at: now)
                if !changes.isEmpty { onNetworkChange(changes) }
                if clock.wasSet() { onClockSet() }
            }
        }
        thread.withLock { $0 = started }
    }

    /// Returns when no callback comes any more. Further calls do nothing.
    func stop() {
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.stopAndJoin()
    }

    private static func wait(for network: NetworkWatcher, _ clock: ClockWatcher, _ wake: EventSignal) {
        var timeout: Int32 = -1
        if network.nextDeadline != .distantFuture {
            timeout = Int32(clamping: max(0, (network.nextDeadline - MonotonicClock.now()).milliseconds + 1))
        }
        var entries = [network.fileDescriptor, clock.fileDescriptor, wake.fileDescriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        _ = poll(&entries, nfds_t(entries.count), timeout)
    }
}
