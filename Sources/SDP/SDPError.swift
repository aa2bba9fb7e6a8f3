/// Why a description could not be made or applied; the session stays as it was before the failing call.
package enum SDPError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is not a session description, or breaks one of the limits of ``SessionDescription``.
    case malformed
    /// The operation does not fit the signalling state, for example an answer without an offer.
    case wrongState(operation: String, state: SignalingState)
    /// The description is well formed, but this endpoint cannot take it; the reason is in plain words.
    case unacceptable(reason: String)
    /// The far side restarted ICE: call ``JSEPSession/restartICE(ufrag:pwd:)`` with fresh values, then answer.
    case freshCredentialsNeeded

    package var description: String {
        switch self {
        case .malformed: "not a valid session description"
        case .wrongState(let operation, let state): "\(operation) is not possible in state \(state.rawValue)"
        case .unacceptable(let reason): reason
        case .freshCredentialsNeeded: "the far side restarted ICE and no fresh ICE credentials were given"
        }
    }
}
