import MediaTypes

/// How often something comes, and whether it is overdue: what usually comes every 20 ms is missed sooner than a report
/// that comes every few seconds.
struct MediaPace: Sendable {
    /// Reports come at least every 7.5 s (RFC 3550 §6.2).
    static let longestLimit = Interval.seconds(10)

    private let shortestLimit: Interval
    private var lastTime: MonotonicTime?
    /// The longest pause of late; fades with each shorter one. nil: nothing came twice yet.
    private var pause: Interval?

    init(shortestLimit: Interval) {
        self.shortestLimit = shortestLimit
    }

    /// From here on something may be expected, though nothing came yet.
    mutating func begin(at now: MonotonicTime) {
        lastTime = now
    }

    mutating func note(at now: MonotonicTime) {
        if let lastTime {
            let faded = pause.map { $0 * 9 / 10 } ?? .zero
            pause = max(now - lastTime, faded)
        }
        lastTime = now
    }

    mutating func reset() {
        lastTime = nil
        pause = nil
    }

    /// After this long without, something is wrong.
    var limit: Interval {
        guard let pause else { return Self.longestLimit }
        return min(max(pause * 4, shortestLimit), Self.longestLimit)
    }

    func isOverdue(at now: MonotonicTime) -> Bool {
        lastTime.map { now - $0 > limit } ?? false
    }

    /// Later than usual, though not yet so late that something is to be done.
    func isLate(at now: MonotonicTime) -> Bool {
        guard let lastTime, let pause else { return false }
        return now - lastTime > max(pause * 2, .seconds(1))
    }
}
