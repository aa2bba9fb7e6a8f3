import MediaTypes

/// How long one call on a device may still take before the device counts as stalled.
///
/// Only what the device was given counts: a process that was stopped, or a machine that was too busy to run it, has not asked
/// the device anything meanwhile. So a step between two looks never counts for more than a wait and a little.
struct Patience {
    /// No single wait may be longer.
    static let longestWait = Interval.milliseconds(100)
    /// A step is a wait and what little is done around it.
    private static let longestStep = Interval.milliseconds(200)

    private var rest: Interval
    private var last: MonotonicTime

    init(_ limit: Interval, at now: MonotonicTime) {
        rest = limit
        last = now
    }

    /// Whether there is any left now.
    mutating func holds(at now: MonotonicTime) -> Bool {
        rest = rest - min(max(.zero, now - last), Patience.longestStep)
        last = now
        return rest > .zero
    }
}
