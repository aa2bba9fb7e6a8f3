/// Why a participant is no longer in the room.
package enum LobbyLeaveReason: String, Sendable, CaseIterable {
    case left
    case kicked
    case joinedElsewhere
    /// Its connection closed without `leave`.
    case connectionLost
    /// It was silent for too long.
    case timedOut
    case protocolViolation
}
