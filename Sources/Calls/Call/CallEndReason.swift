/// Why a call ended; the same at both ends (CALLS.md).
package enum CallEndReason: String, CaseIterable, Hashable, Sendable {
    /// An answered call was ended by either side.
    case hungUp
    case declined
    /// Another call was on at the callee.
    case busy
    /// The caller gave up before anybody answered.
    case cancelled
    /// It rang, and nobody answered in time.
    case timedOut
    /// The target was not in the room when it was called.
    case offline
    /// One side disappeared, or could not be told that the call is over.
    case lost
    /// Another target of the same call answered first.
    case answeredElsewhere

    /// What a call of several targets reports when it came to nothing: what a person did says more than what did not happen.
    ///
    /// - Returns: `offline` when there is nothing to choose from.
    static func mostTelling(of reasons: [CallEndReason]) -> CallEndReason {
        let order: [CallEndReason] = [
            .declined, .busy, .timedOut, .lost, .offline, .hungUp, .cancelled, .answeredElsewhere,
        ]
        return order.first(where: reasons.contains) ?? .offline
    }
}
