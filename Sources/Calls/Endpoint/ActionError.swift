/// Why an action of a button or of `callbox ctl` is refused, in words for whoever asked.
package enum ActionError: Error, Sendable, Hashable, CustomStringConvertible {
    case notJoined
    case callInProgress
    case nobodyToCall
    case noCall
    case noMicrophone
    case noCamera
    case onlyOneCamera
    case notAudience
    case asksAlready
    case notAsking(ParticipantID)
    case unknownParticipant(ParticipantID)

    package var description: String {
        switch self {
        case .notJoined: "the room is not joined"
        case .callInProgress: "a call is in progress"
        case .nobodyToCall: "there is nobody to call"
        case .noCall: "there is no such call"
        case .noMicrophone: "this endpoint has no microphone"
        case .noCamera: "this endpoint has no camera"
        case .onlyOneCamera: "only one camera is configured"
        case .asksAlready: "this endpoint asks to speak already"
        case .notAudience: "this endpoint may speak already"
        case .notAsking(let id): "\(id) did not ask to speak"
        case .unknownParticipant(let id): "\(id) is not in the room"
        }
    }
}
