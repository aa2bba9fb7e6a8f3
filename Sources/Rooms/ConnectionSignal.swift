/// What two ends of a media connection tell each other through the room service.
package enum ConnectionSignal: Sendable, Equatable {
    /// - Parameter type: `offer`, `answer` or `rollback`.
    case description(type: String, sdp: String)
    case candidate(candidate: String, mid: String?, lineIndex: Int?)
    case endOfCandidates
}
