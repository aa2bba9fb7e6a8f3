import MediaTypes

/// Asks for missing packets: after a moment (they may only be reordered), again once a round trip has passed, and not for
/// ever.
struct NackGenerator: ~Copyable {
    /// How eagerly one kind of media asks.
    struct Policy: BitwiseCopyable {
        var mostRequests: Int
        /// A packet missing for longer is not asked for any more.
        var longestAge: Interval
        /// If more than this is missing, asking is given up: a key frame is cheaper.
        var mostMissing: Int

        static let video = Policy(mostRequests: 10, longestAge: .seconds(2), mostMissing: 512)
        /// Later than this an audio packet is of no use to the jitter buffer.
        static let audio = Policy(mostRequests: 3, longestAge: .milliseconds(240), mostMissing: 32)
    }

    /// Between two requests for the same packet, whatever the round-trip time says.
    static let shortestRetry = Interval.milliseconds(20)
    /// Room for the far side's processing and the jitter of the way back.
    static let retryMargin = Interval.milliseconds(10)
    static let longestReorderWait = Interval.milliseconds(40)
    static let shortestReorderWait = Interval.milliseconds(3)

    private(set) var log: NackLog
    private let policy: Policy
    /// How late packets come that nobody asked for: the largest of the last ones, forgetting slowly.
    private(set) var reorderWait = NackGenerator.shortestReorderWait

    init(policy: Policy) {
        self.policy = policy
        log = NackLog(capacity: policy.mostMissing)
    }

    /// - Returns: false if too much is missing; the log is then empty.
    mutating func noteMissing(_ missing: Range<Int64>, at time: MonotonicTime) -> Bool {
        guard !missing.isEmpty else { return true }
        if log.append(missing, since: time) { return true }
        log.removeAll()
        return false
    }

    /// A missing packet came.
    /// - Returns: whether it had been asked for.
    mutating func noteArrival(_ sequence: Int64, isRetransmission: Bool, at time: MonotonicTime) -> Bool {
        guard let entry = log.remove(sequence) else { return false }
        let wasRequested = entry.requestCount > 0
        if !isRetransmission && (!wasRequested || time - entry.lastRequest < .milliseconds(5)) {
            reorderWait = min(max(reorderWait, time - entry.missingSince + .milliseconds(2)), Self.longestReorderWait)
        }
        return wasRequested
    }

    /// A packet came in order: the wait shrinks by 1/512.
    mutating func noteInOrder() {
        reorderWait = max(
            Self.shortestReorderWait, Interval(nanoseconds: reorderWait.nanoseconds - reorderWait.nanoseconds / 512))
    }

    mutating func forget(below sequence: Int64) {
        log.removeAll(below: sequence)
    }

    mutating func forgetAll() {
        log.removeAll()
    }

    /// Since when the longest-missing packet is missing.
    var oldestMissing: MonotonicTime? { log.count > 0 ? log[0].missingSince : nil }

    /// When `nextDue` has something to say again.
    func nextDeadline(roundTrip: Interval) -> MonotonicTime {
        var earliest = MonotonicTime.distantFuture
        for index in 0..<log.count { earliest = min(earliest, due(log[index], roundTrip: roundTrip)) }
        return earliest
    }

    /// Takes the next packet to ask for, from the entry at `index` on, and drops those that are given up.
    /// - Returns: nil when there is none; `index` is where the next call goes on.
    mutating func nextDue(from index: inout Int, roundTrip: Interval, at time: MonotonicTime) -> Int64? {
        while index < log.count {
            var entry = log[index]
            if entry.requestCount >= policy.mostRequests || time - entry.missingSince > policy.longestAge {
                log.removeAt(index)
                continue
            }
            guard due(entry, roundTrip: roundTrip) <= time else {
                index += 1
                continue
            }
            entry.requestCount += 1
            entry.lastRequest = time
            log[index] = entry
            index += 1
            return entry.sequence
        }
        return nil
    }

    private func due(_ entry: NackLog.Entry, roundTrip: Interval) -> MonotonicTime {
        if entry.requestCount == 0 { return entry.missingSince + reorderWait }
        return entry.lastRequest + max(roundTrip + Self.retryMargin, Self.shortestRetry)
    }
}
