import MediaTypes

/// One relay over time. Pure: orders and times in, a level out.
///
/// An order pulls the relay for its time, at most for `maximum`. A further order while it is pulled may lengthen the
/// time, never shorten it, and never beyond `maximum` after the relay was first pulled: however many people press,
/// the relay is released then, and only an order after that pulls it again.
package struct RelayTimer: Sendable {
    private let timing: RelayTiming
    private var now = MonotonicTime.zero
    private var start = MonotonicTime.zero
    private var end: MonotonicTime?

    package init(_ timing: RelayTiming) {
        self.timing = timing
    }

    /// Whether the relay is to be pulled.
    package var isActive: Bool { end != nil }

    /// When the relay is released; `distantFuture` while it is not pulled.
    package var nextDeadline: MonotonicTime { end ?? .distantFuture }

    /// Pulls the relay.
    /// - Parameter time: nil: the usual pulse. Less than a millisecond counts as one.
    package mutating func pull(for time: Interval?, at moment: MonotonicTime) {
        advance(to: moment)
        if end == nil { start = now }
        let wanted = now + min(max(time ?? timing.pulse, .milliseconds(1)), timing.maximum)
        end = min(max(wanted, end ?? wanted), start + timing.maximum)
    }

    /// Releases the relay at once.
    package mutating func release(at moment: MonotonicTime) {
        advance(to: moment)
        end = nil
    }

    package mutating func advance(to moment: MonotonicTime) {
        now = max(now, moment)
        if let end, end <= now { self.end = nil }
    }
}
