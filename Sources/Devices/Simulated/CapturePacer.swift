import MediaTypes
import Realtime

/// Paces a simulated microphone: a period is there 10 ms after it began.
struct CapturePacer: Sendable, BitwiseCopyable {
    /// As long as a sound card keeps what nobody reads.
    private static let longestDelay = Interval.milliseconds(200)
    private var clock = PacedClock.audioPeriods(from: MonotonicClock.now())
    /// How often periods were lost because nobody read them.
    private(set) var interruptionCount = 0

    /// Waits until the next period is complete.
    ///
    /// - Returns: when it began.
    mutating func wait() -> MonotonicTime {
        let start = clock.deadline
        let end = start + .milliseconds(10)
        MonotonicClock.sleep(until: end)
        let now = MonotonicClock.now()
        if now - end > CapturePacer.longestDelay, clock.skipMissed(at: now - .milliseconds(10)) > 0 {
            interruptionCount += 1
        }
        let time = clock.deadline
        clock.advance()
        return time
    }
}
