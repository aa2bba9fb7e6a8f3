/// What a call does about an input: the cells of the call table.
package enum CallOutcome: Hashable, Sendable {
    case refuse(CallError)
    /// A message that means nothing here; counted.
    case ignore
    case nothing
    // Calls begin.
    case inviteTargets
    case ring
    case answerAtOnce
    case refuseBusy
    case keepOwnCall
    case takeTheirCall
    case noteRinging
    case acceptCall
    case connect
    // Said again.
    case repeatRinging
    case repeatAccept
    case greet
    // Calls end.
    case dropTarget
    case dropEndedTarget
    case dropAbsentTarget
    case cancelTargets
    case timeOutTargets
    case settle
    case settleAndAnswer
    case hangUpAndSettle
    case declineAndClose
    case timeOutAndClose
    case hangUpAndClose
    case endLost
    case endForGood
    // The other side comes and goes.
    case watch

    /// The phase that follows; nil: stays, or depends on whether a target is left (`dropTarget` and its like).
    package var next: CallPhase? {
        switch self {
        case .refuse, .ignore, .nothing, .refuseBusy, .keepOwnCall, .noteRinging, .repeatRinging, .repeatAccept, .greet,
            .dropTarget, .dropEndedTarget, .dropAbsentTarget, .watch:
            nil
        case .inviteTargets: .calling
        case .ring: .ringing
        case .answerAtOnce, .takeTheirCall, .acceptCall: .inCallAsCallee
        case .connect: .inCallAsCaller
        case .cancelTargets, .timeOutTargets, .settle, .settleAndAnswer, .hangUpAndSettle, .declineAndClose,
            .timeOutAndClose, .hangUpAndClose, .endLost, .endForGood:
            .idle
        }
    }

    /// For the table.
    package var nextText: String {
        switch self {
        case .refuse(let error): "refused: \(error)"
        case .dropTarget, .dropEndedTarget, .dropAbsentTarget: "stays; after the last target idle"
        default: next?.text ?? "stays"
        }
    }

    /// For the table.
    package var effect: String {
        switch self {
        case .refuse, .nothing: ""
        case .ignore: "counted"
        case .inviteTargets: "`invite` to each target in the room; nobody there: stays, ended `offline`"
        case .ring: "`ringing`"
        case .answerAtOnce, .acceptCall: "`accept`"
        case .refuseBusy: "`busy`; closing as `busy`"
        case .keepOwnCall: "no answer: the own call counts"
        case .takeTheirCall: "own call dropped without a word, `accept`"
        case .noteRinging: "it rings there"
        case .connect: "`cancel` with `answeredElsewhere` to the other targets"
        case .repeatRinging: "`ringing` again"
        case .repeatAccept: "`accept` again"
        case .greet: "says where it stands: `invite`, `ringing` or `resume`"
        case .dropTarget: "target out with that reason, answers `ended`"
        case .dropEndedTarget: "target out with that reason"
        case .dropAbsentTarget: "target out with `lost`"
        case .cancelTargets: "`cancel`; ended `cancelled`"
        case .timeOutTargets: "`cancel` with `timedOut`; ended `timedOut`"
        case .settle: "ended with that reason"
        case .settleAndAnswer: "answers `ended`; ended with that reason"
        case .hangUpAndSettle: "`hang_up`; ended `hungUp`"
        case .declineAndClose: "`decline`; closing as `declined`"
        case .timeOutAndClose: "`decline` with `timedOut`; closing as `timedOut`"
        case .hangUpAndClose: "`hang_up`; closing as `hungUp`"
        case .endLost: "ended `lost`"
        case .endForGood: "as hanging up, but settled at once"
        case .watch: "the lost time runs unless the room shows it or, in a call, its media flows"
        }
    }
}
