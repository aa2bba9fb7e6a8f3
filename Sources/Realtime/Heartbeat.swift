import MediaTypes
import Synchronization

/// A loop's sign of life: when it began its last turn.
///
/// Every `RealtimeThread` has one, and asking its `StopFlag` is the beat, so that no loop can forget it. What turns without
/// a thread of its own (an actor) makes one for itself.
/// - Thread: `beat` on the loop; it costs a look at the clock and one store, and is allowed on real-time threads.
package final class Heartbeat: Sendable {
    /// For a loop that waits for nothing but its events.
    package static let usualPatience = Interval.seconds(8)
    /// For a loop that opens and closes devices: a driver may take as long as a USB transfer that nobody answers, several times.
    package static let devicePatience = Interval.seconds(15)

    private static let known = Mutex<[Heartbeat]>([])

    /// The loops that must turn now.
    package static var all: [Heartbeat] { known.withLock { $0 } }

    package let name: String
    /// A healthy loop never takes longer for one turn.
    package let patience: Interval
    private let latest: Atomic<Int64>
    private let isTurning = Atomic<Bool>(false)
    private let wakeLoop: @Sendable () -> Void

    /// - Parameter wake: makes a loop that waits for events begin another turn; does nothing for one that needs no waking.
    package init(
        name: String, patience: Interval = Heartbeat.usualPatience, at now: MonotonicTime,
        wake: @escaping @Sendable () -> Void = {}
    ) {
        self.name = name
        self.patience = patience
        latest = Atomic(now.nanoseconds)
        wakeLoop = wake
    }

    /// The loop begins a turn.
    package func beat() { beat(at: MonotonicClock.now()) }

    func beat(at now: MonotonicTime) {
        latest.store(now.nanoseconds, ordering: .relaxed)
        if !isTurning.load(ordering: .relaxed) { isTurning.store(true, ordering: .relaxed) }
    }

    /// From now on it must turn.
    package func enrol() { Heartbeat.known.withLock { $0.append(self) } }

    /// The loop has ended in good order. Further calls do nothing.
    package func retire() { Heartbeat.known.withLock { $0.removeAll { $0 === self } } }

    /// When the last turn began; before the first, when it was made.
    var latestTime: MonotonicTime { MonotonicTime(nanoseconds: latest.load(ordering: .relaxed)) }

    /// Whether there was a first turn.
    package var hasTurned: Bool { isTurning.load(ordering: .relaxed) }

    func wake() { wakeLoop() }
}
