/// The `code` of an `error` message: for programs; the text beside it is for people.
package enum LobbyErrorCode: String, Sendable, CaseIterable {
    case badMessage
    case unknownType
    case notJoined
    case alreadyJoined
    case refusedToken
    case roomFull
    case lobbyFull
    case streamIDTaken
    case tooManyStreams
    case unknownStream
    case unknownParticipant
    case notPermitted
    case participantPresent
}
