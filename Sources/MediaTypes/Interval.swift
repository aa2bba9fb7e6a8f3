/// A span of time in whole nanoseconds: half the size of `Duration`, so that it costs nothing on a media thread.
package struct Interval: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let zero = Interval(nanoseconds: 0)
    package static func nanoseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count) }
    package static func microseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count * 1_000) }
    package static func milliseconds(_ count: Int64) -> Interval { Interval(nanoseconds: count * 1_000_000) }
    package static func seconds(_ count: Int64) -> Interval { Interval(nanoseconds: count * 1_000_000_000) }
    package static func fractionalSeconds(_ count: Double) -> Interval { Interval(nanoseconds: Int64(count * 1e9)) }

    /// Rounded towards zero.
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
    package var microseconds: Int64 { nanoseconds / 1_000 }
    package var seconds: Double { Double(nanoseconds) / 1e9 }

    package static func < (a: Interval, b: Interval) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (a: Interval, b: Interval) -> Interval {
        Interval(nanoseconds: a.nanoseconds &+ b.nanoseconds)
    }
    package static func - (a: Interval, b: Interval) -> Interval {
        Interval(nanoseconds: a.nanoseconds &- b.nanoseconds)
    }
    package static func * (a: Interval, factor: Int64) -> Interval { Interval(nanoseconds: a.nanoseconds * factor) }
    package static func / (a: Interval, divisor: Int64) -> Interval { Interval(nanoseconds: a.nanoseconds / divisor) }
}
