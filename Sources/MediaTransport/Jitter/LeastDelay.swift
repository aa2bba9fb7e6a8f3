import MediaTypes

/// The smallest delay of the last half to full second: what is left when the speaker asks in bursts and packets jitter.
struct LeastDelay: BitwiseCopyable {
    static let windowLength = Interval.milliseconds(500)

    private var earlier: Interval?
    private var current: Interval?
    private var windowEnd = MonotonicTime.zero

    init() {}

    /// Nil before half a second has been seen.
    var value: Interval? {
        guard let earlier else { return nil }
        return current.map { min($0, earlier) } ?? earlier
    }

    mutating func note(_ delay: Interval, at time: MonotonicTime) {
        if time >= windowEnd {
            // After a pause both windows are old.
            earlier = time - windowEnd < Self.windowLength ? current : nil
            current = nil
            windowEnd = time + Self.windowLength
        }
        current = current.map { min($0, delay) } ?? delay
    }

    /// The delay was changed on purpose.
    mutating func shift(by change: Interval) {
        earlier = earlier.map { $0 + change }
        current = current.map { $0 + change }
    }

    mutating func reset() {
        self = LeastDelay()
    }
}
