import MediaTypes
import Realtime
import Telemetry

/// Tells the service manager when the endpoint serves, and that all of its loops turn; on the main thread, whose own life
/// is proved by that.
///
/// ```
/// cb-net, cb-play, …, supervisor ── heartbeats ─▶ LoopWatch ─▶ all turn: WATCHDOG=1 │ one is stuck: its name, WATCHDOG=trigger
/// ```
/// Room, network and devices have no say: an endpoint without camera, lobby or cable is well, and a restart would help it
/// no more than its own retries.
package struct ServiceWatch {
    /// Until the first READY=1: a look costs nothing, and the manager waits.
    private static let startInterval = Interval.milliseconds(10)

    private let manager: ServiceManager
    private let watchdogTime: Interval?
    private var watch: LoopWatch
    private var isReady = false
    private var nextFeed = MonotonicTime.zero
    /// Those that were told of.
    private var stuck: [String: LoopWatch.StuckLoop] = [:]

    package init(_ manager: ServiceManager) {
        self.manager = manager
        watchdogTime = manager.watchdogTime
        // With half of the time for a loop, and a feed in every half, even without a trigger a restart comes within the double.
        watch = LoopWatch(longestPatience: (manager.watchdogTime ?? .seconds(60)) / 2)
    }

    /// How long to wait for the next turn.
    package var interval: Interval {
        if !isReady { return ServiceWatch.startInterval }
        return watchdogTime == nil ? .seconds(60) : watch.interval
    }

    /// Looks, and tells.
    package mutating func turn(at heartbeats: [Heartbeat] = Heartbeat.all, now: MonotonicTime) {
        if !isReady, heartbeats.allSatisfy(\.hasTurned) {
            isReady = true
            manager.tellReady()
        }
        guard let watchdogTime else { return }
        let found = watch.look(at: heartbeats, now: now)
        report(found)
        if found.isEmpty && now >= nextFeed && manager.feedWatchdog() {
            // One look early rather than late.
            nextFeed = now + watchdogTime / 2 - watch.interval
        }
    }

    private mutating func report(_ found: [LoopWatch.StuckLoop]) {
        for loop in found where stuck[loop.name] == nil {
            Log.error(
                "watchdog",
                "\(loop.name) has not turned for \(loop.silence.milliseconds) ms, and never needs more than "
                    + "\(loop.patience.milliseconds): the watchdog is not fed")
            manager.triggerWatchdog()
        }
        for name in stuck.keys where !found.contains(where: { $0.name == name }) {
            Log.notice("watchdog", "\(name) turns again")
        }
        stuck = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
    }
}
