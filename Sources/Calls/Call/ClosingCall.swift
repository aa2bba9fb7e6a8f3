import MediaTypes

/// A call that the callee has ended, and whose reason the caller has not confirmed.
struct ClosingCall: Sendable {
    static let capacity = 8

    var callID: String
    var caller: ParticipantID
    /// `decline`, `busy` or `hangUp`.
    var event: CallMessage.Event
    /// What it ends with if the caller stays silent.
    var reason: CallEndReason
    var deadline: MonotonicTime

    var message: CallMessage { CallMessage(event, callID: callID, reason: reason) }
}
