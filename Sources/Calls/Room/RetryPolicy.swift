import MediaTypes

/// When the next attempt to join follows a failed one.
///
/// During the first 15 s after the loss an attempt follows every 250 ms … 1 s (random), so that a restarted server is
/// hardly noticed; then the limit doubles from 1 s to 30 s, each delay drawn evenly between 250 ms and the limit, so that
/// a fleet does not storm its server. What retrying cannot cure is retried every 5 minutes. 60 s of health reset it.
/// Two devices with one participant id find out after 60 … 120 s (random) whether the other has gone.
package struct RetryPolicy: Sendable {
    /// Time of quick attempts after the loss.
    package static let quickPhase = Interval.seconds(15)
    package static let longestDelay = Interval.seconds(30)
    package static let incurableDelay = Interval.seconds(300)
    /// The least time before a device tries again whose participant joined elsewhere; at most twice that.
    package static let elsewhereDelay = Interval.seconds(60)
    package static let healthyTime = Interval.seconds(60)
    static let shortestDelay = Interval.milliseconds(250)
    static let quickestLimit = Interval.seconds(1)

    private var lossTime: MonotonicTime?
    private var joinedTime: MonotonicTime?
    private var limit = RetryPolicy.quickestLimit
    private var random: SeededRandom

    /// - Parameter seed: differs from device to device, so that a fleet spreads.
    package init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    /// Call when the room is joined: the reset counts from here.
    package mutating func succeeded(at now: MonotonicTime) {
        joinedTime = now
    }

    /// Another network, or another configuration: what failed before says nothing about now.
    package mutating func restart() {
        lossTime = nil
        limit = RetryPolicy.quickestLimit
    }

    /// How long to wait before the next attempt, after an attempt or the joined room failed at `now`.
    package mutating func delay(after reason: RoomReason, at now: MonotonicTime) -> Interval {
        if let joinedTime, now - joinedTime >= RetryPolicy.healthyTime {
            restart()
        }
        joinedTime = nil
        switch reason.kind {
        case .incurable, .kicked: return RetryPolicy.incurableDelay
        case .joinedElsewhere: return drawn(from: RetryPolicy.elsewhereDelay, to: RetryPolicy.elsewhereDelay * 2)
        case .requested, .transient, .clockNotSet: break
        }
        let start = lossTime ?? now
        lossTime = start
        if now - start < RetryPolicy.quickPhase {
            return drawn(from: RetryPolicy.shortestDelay, to: RetryPolicy.quickestLimit)
        }
        limit = min(limit * 2, RetryPolicy.longestDelay)
        return drawn(from: RetryPolicy.shortestDelay, to: limit)
    }

    private mutating func drawn(from least: Interval, to most: Interval) -> Interval {
        let span = (most - least).nanoseconds
        return least + Interval(nanoseconds: Int64.random(in: 0...span, using: &random))
    }
}
