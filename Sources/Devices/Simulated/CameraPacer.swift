import MediaTypes
import Realtime

/// Paces a simulated camera: waits for the next picture's time and tells which picture it is.
struct CameraPacer: Sendable, BitwiseCopyable {
    private var clock: PacedClock
    /// Number of the picture whose turn is next, counted from the opening.
    private var number: Int64 = 0
    /// Pictures that nobody fetched in time.
    private(set) var missedCount = 0

    /// - Parameters: pictures per second as a fraction.
    init(rateNumerator: Int, rateDenominator: Int) {
        clock = PacedClock(
            ticksPerCycle: rateNumerator, cycle: .seconds(Int64(rateDenominator)), start: MonotonicClock.now())
    }

    /// Waits until the next picture is due, but not longer than the time-out.
    ///
    /// - Returns: its number and its time; nil when the time is up.
    mutating func wait(timeoutMilliseconds: Int32) -> (number: Int64, time: MonotonicTime)? {
        let limit = MonotonicClock.now() + .milliseconds(Int64(timeoutMilliseconds))
        guard clock.deadline <= limit else {
            MonotonicClock.sleep(until: limit)
            return nil
        }
        MonotonicClock.sleep(until: clock.deadline)
        // A camera does not wait for its reader: what is past is lost.
        let missed = clock.skipMissed(at: MonotonicClock.now())
        missedCount += Int(missed)
        let picture = (number: number + missed, time: clock.deadline)
        number = picture.number + 1
        clock.advance()
        return picture
    }
}
