/// Everything that a call reacts to: the rows of the call table.
///
/// "The other side" is each target that may still answer, the caller, or the partner.
package enum CallInput: String, CaseIterable, Hashable, Sendable {
    // What a person asks for.
    case call
    case answer
    case decline
    case hangUp
    case leaveRoom
    // Invites of calls that are new here.
    case invite
    case listedInvite
    case winningInvite
    case losingInvite
    // Messages of this call from the other side.
    case repeatedInvite
    case ringingMessage
    case acceptMessage
    case declineMessage
    case busyMessage
    case cancelMessage
    case hangUpMessage
    case resumeMessage
    case endedMessage
    // What happens in the room and to the media.
    case otherJoined
    case otherLost
    case otherGone
    case roomLost
    case roomJoined
    case mediaFlows
    case mediaStopped
    // Time.
    case ringTimeOut
    case lostTimeOut

    /// The input that a message of the call that is on stands for.
    init(_ event: CallMessage.Event) {
        switch event {
        case .invite: self = .repeatedInvite
        case .ringing: self = .ringingMessage
        case .accept: self = .acceptMessage
        case .decline: self = .declineMessage
        case .busy: self = .busyMessage
        case .cancel: self = .cancelMessage
        case .hangUp: self = .hangUpMessage
        case .resume: self = .resumeMessage
        case .ended: self = .endedMessage
        }
    }

    /// For the table.
    package var text: String {
        switch self {
        case .call: "command: call"
        case .answer: "command: answer"
        case .decline: "command: decline"
        case .hangUp: "command: hang up"
        case .leaveRoom: "command: leave the room"
        case .invite: "`invite`, new call"
        case .listedInvite: "`invite`, new call, caller listed for auto-answer"
        case .winningInvite: "`invite`, new call, from a target with the smaller id"
        case .losingInvite: "`invite`, new call, from a target with the larger id"
        case .repeatedInvite: "`invite`, this call"
        case .ringingMessage: "`ringing`"
        case .acceptMessage: "`accept`"
        case .declineMessage: "`decline`"
        case .busyMessage: "`busy`"
        case .cancelMessage: "`cancel`"
        case .hangUpMessage: "`hang_up`"
        case .resumeMessage: "`resume`"
        case .endedMessage: "`ended`"
        case .otherJoined: "the other side joins"
        case .otherLost: "the other side is lost"
        case .otherGone: "the other side leaves"
        case .roomLost: "the room is lost"
        case .roomJoined: "the room is joined"
        case .mediaFlows: "media of the other side flows"
        case .mediaStopped: "media of the other side stops"
        case .ringTimeOut: "ring time is over"
        case .lostTimeOut: "lost time is over"
        }
    }
}
