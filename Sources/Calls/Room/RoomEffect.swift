/// What a `RoomSession` does on its way to the next phase.
package enum RoomEffect: String, Sendable, Hashable {
    case startAttempt = "start an attempt"
    case cancelAttempt = "cancel the attempt"
    case planRetry = "plan a retry"
    case startLeave = "leave the room"
    /// Ask the server for a sign of life.
    case checkConnection = "check the connection"
}
