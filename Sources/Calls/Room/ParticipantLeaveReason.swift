/// Why a participant is no longer in the room.
package enum ParticipantLeaveReason: String, Sendable, Hashable, CaseIterable {
    case left
    case kicked
    case joinedElsewhere
    /// Its connection to the room service broke.
    case connectionLost
    /// It was silent for too long.
    case timedOut
    case protocolViolation

    /// It did not mean to go: it may be back soon, and its media may go on meanwhile.
    ///
    /// `joinedElsewhere` too: a device that changes its address is back before its old connection is known to be lost.
    package var isLost: Bool { self == .connectionLost || self == .timedOut || self == .joinedElsewhere }
}
