import MediaTypes
import Realtime

/// Paces a simulated speaker with a queue of two periods: the first write returns at once, each further one when the
/// queue has room, at exact deadlines.
///
/// A writer that is late by less than `longestDelay` catches up, so that the sound has neither a gap nor a drift
/// against the clock.
struct PlaybackPacer: Sendable, BitwiseCopyable {
    private static let longestDelay = Interval.milliseconds(200)
    /// The current tick is when the period written next begins to play.
    private var clock: PacedClock?
    /// How often the speaker ran dry.
    private(set) var interruptionCount = 0

    /// Waits until there is room for one more period.
    ///
    /// - Returns: how many periods of silence were played because the writer was away.
    mutating func wait() -> Int {
        let now = MonotonicClock.now()
        guard var clock else {
            self.clock = .audioPeriods(from: now)
            self.clock?.advance()
            return 0
        }
        var missed = 0
        if now - clock.deadline > PlaybackPacer.longestDelay {
            missed = Int(clock.skipMissed(at: now))
            interruptionCount += 1
        } else {
            MonotonicClock.sleep(until: clock.deadline - .milliseconds(10))
        }
        clock.advance()
        self.clock = clock
        return missed
    }

    /// Frames between a period written now and its sound.
    var delayFrames: Int {
        guard let clock else { return 0 }
        return max(0, Int((clock.deadline - MonotonicClock.now()).nanoseconds * 48 / 1_000_000))
    }
}
