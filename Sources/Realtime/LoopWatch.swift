import MediaTypes

/// Looks at the heartbeats from time to time, and says which loops are stuck.
///
/// A loop that has nothing to do sleeps, perhaps for ever: it is woken before it is judged, and a healthy one then turns.
package struct LoopWatch {
    /// A loop that has not turned for longer than its patience.
    package struct StuckLoop: Sendable, Equatable {
        package var name: String
        package var silence: Interval
        package var patience: Interval
    }

    /// No loop gets more than this, whatever its own patience is.
    private let longestPatience: Interval
    private var lastLook: MonotonicTime?
    /// The process itself stood still until then (stopped, or its machine was): nobody turned, and nobody is to blame.
    private var standstillEnd = MonotonicTime(nanoseconds: .min)

    package init(longestPatience: Interval) {
        self.longestPatience = longestPatience
    }

    /// How often to look: a loop that is woken after half its patience has turned before the other half is over.
    package var interval: Interval { min(longestPatience, Heartbeat.usualPatience) / 4 }

    /// The stuck loops, in the order in which they were started. Wakes those that have been still for a while.
    package mutating func look(at heartbeats: [Heartbeat] = Heartbeat.all, now: MonotonicTime) -> [StuckLoop] {
        if let lastLook, now - lastLook > interval * 2 { standstillEnd = now }
        lastLook = now
        var stuck: [StuckLoop] = []
        for heartbeat in heartbeats {
            let patience = min(heartbeat.patience, longestPatience)
            let silence = now - max(heartbeat.latestTime, standstillEnd)
            if silence > patience {
                stuck.append(StuckLoop(name: heartbeat.name, silence: silence, patience: patience))
            }
            if silence >= patience / 2 { heartbeat.wake() }
        }
        return stuck
    }
}
