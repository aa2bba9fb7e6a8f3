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

    /// For the table.
    package var text: String {
        switch self {
        case .refuse(let error): "refused: \(error)"
        case .ignore: "ignored, counted"
        case .nothing: "–"
        case .inviteTargets: "`invite` to each target in the room → calling; nobody there: ends `offline`"
        case .ring: "`ringing` → ringing"
        case .answerAtOnce: "`accept` → in call"
        case .refuseBusy: "`busy`, closing"
        case .keepOwnCall: "own call counts: no answer"
        case .takeTheirCall: "own call dropped, `accept` → in call"
        case .noteRinging: "it rings there"
        case .acceptCall: "`accept` → in call"
        case .connect: "→ in call; `cancel` answeredElsewhere to the others"
        case .repeatRinging: "`ringing` again"
        case .repeatAccept: "`accept` again"
        case .greet: "says where it stands: `invite`, `ringing` or `resume`"
        case .dropTarget: "answers `ended`; target out, the last one ends the call → idle"
        case .dropEndedTarget: "target out, the last one ends the call → idle"
        case .dropAbsentTarget: "target out (`lost`), the last one ends the call → idle"
        case .cancelTargets: "`cancel` → idle: cancelled"
        case .timeOutTargets: "`cancel` timedOut → idle: timedOut"
        case .settle: "→ idle with that reason"
        case .settleAndAnswer: "answers `ended` → idle with that reason"
        case .hangUpAndSettle: "`hang_up` → idle: hungUp"
        case .declineAndClose: "`decline` → idle, closing: declined"
        case .timeOutAndClose: "`decline` timedOut → idle, closing: timedOut"
        case .hangUpAndClose: "`hang_up` → idle, closing: hungUp"
        case .endLost: "→ idle: lost"
        case .endForGood: "ends as by hanging up, settled at once → idle"
        case .watch: "lost time runs unless the room shows it or media flows"
        }
    }
}
