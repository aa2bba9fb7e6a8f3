/// What two participants tell each other about a call (CALLS.md).
package struct CallMessage: Hashable, Sendable {
    /// The raw values are those of the wire.
    package enum Event: String, CaseIterable, Hashable, Sendable {
        case invite
        case ringing
        case accept
        case decline
        case busy
        case cancel
        case hangUp = "hang_up"
        case resume
        case ended

        /// What a message of this kind means when it gives no reason; nil: it ends nothing.
        package var usualReason: CallEndReason? {
            switch self {
            case .invite, .ringing, .accept, .resume: nil
            case .decline: .declined
            case .busy: .busy
            case .cancel: .cancelled
            case .hangUp: .hungUp
            case .ended: .lost
            }
        }
    }

    package var event: Event
    /// Made by the caller, random, never used twice; at most 64 characters.
    package var callID: String
    /// Only of messages that end a call.
    package var reason: CallEndReason?

    package init(_ event: Event, callID: String, reason: CallEndReason? = nil) {
        self.event = event
        self.callID = callID
        self.reason = reason
    }

    /// The reason that counts.
    var endReason: CallEndReason { reason ?? event.usualReason ?? .lost }
}
