/// A point on the machine's monotonic clock: the only clock that timers and media use.
///
/// - Units: nanoseconds since an arbitrary start (`CLOCK_MONOTONIC`). In pure modules it is always an argument.
package struct MonotonicTime: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = MonotonicTime(nanoseconds: 0)
    /// Later than every real time: "no deadline".
    package static let distantFuture = MonotonicTime(nanoseconds: .max)

    package static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (time: MonotonicTime, interval: Interval) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds &+ interval.nanoseconds)
    }
    package static func - (time: MonotonicTime, interval: Interval) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds &- interval.nanoseconds)
    }
    package static func - (later: MonotonicTime, earlier: MonotonicTime) -> Interval {
        Interval(nanoseconds: later.nanoseconds &- earlier.nanoseconds)
    }
}
