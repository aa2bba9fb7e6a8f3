/// Everything that may happen to a `PublisherSession`. Answers to a request that is not the last one do not get here.
package enum PublisherInput: String, Sendable, Hashable, CaseIterable {
    case want
    case unwant
    case roomJoined = "room joined"
    case roomLost = "room lost"
    case accepted
    case refused
    /// The stream is no longer published, and the room is still joined.
    case broken
    case retryNow = "retry now"
    case timeCame = "time came"
}
