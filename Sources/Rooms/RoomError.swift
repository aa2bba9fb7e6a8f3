import Calls

/// Why a request to the room service failed.
package enum RoomError: Error, Sendable, Hashable {
    /// No connection to the server: the network, the name, the certificate.
    case unreachable(String)
    case timedOut(String)
    /// The connection broke.
    case connectionLost(String)
    case clockNotSet(String)
    case refusedToken(String)
    case roomFull(String)
    case streamIDTaken(String)
    case notPermitted(String)
    case kicked(String)
    /// Another device uses this participant's id.
    case joinedElsewhere(String)
    case protocolViolation(String)
    case operationInProgress
    case alreadyInRequestedState
    case notJoined
    /// The join was given up by `leave`.
    case cancelled

    /// What the room session does about it.
    package var reason: RoomReason {
        switch self {
        case .unreachable(let text), .timedOut(let text), .connectionLost(let text), .roomFull(let text):
            RoomReason(.transient, text)
        case .clockNotSet(let text):
            RoomReason(.clockNotSet, text)
        case .refusedToken(let text), .streamIDTaken(let text), .notPermitted(let text), .protocolViolation(let text):
            RoomReason(.incurable, text)
        case .kicked(let text):
            RoomReason(.kicked, text)
        case .joinedElsewhere(let text):
            RoomReason(.joinedElsewhere, text)
        case .operationInProgress:
            RoomReason(.transient, "another operation is in progress")
        case .alreadyInRequestedState:
            RoomReason(.transient, "the room is joined already")
        case .notJoined:
            RoomReason(.transient, "no room is joined")
        case .cancelled:
            RoomReason(.requested, "cancelled")
        }
    }
}
