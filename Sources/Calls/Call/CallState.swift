/// Where this endpoint is in a call.
package enum CallState: String, CaseIterable, Hashable, Sendable {
    /// No call.
    case idle
    /// This side calls, and nobody has answered yet.
    case calling
    /// The other side calls, and this one has not answered yet.
    case ringing
    /// Answered: both sides talk.
    case inCall
}
