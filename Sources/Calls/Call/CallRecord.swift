/// What this side knows of a call that is not on: the columns of the second call table.
package enum CallRecord: String, CaseIterable, Hashable, Sendable {
    /// Ended here by the callee; the caller has not confirmed the reason.
    case closing
    case ended
    case unknown
    /// The id is that of a call with somebody else.
    case foreign

    /// What a message about such a call does.
    package enum Outcome: Hashable, Sendable {
        /// An `invite` of a new call: the first call table holds.
        case newCall
        /// The caller's word: the reason is settled.
        case settle
        case repeatEnd
        /// Answered by `ended` with the known reason, or `lost`; counted, and within the answer budget.
        case answerEnded
        /// Counted.
        case ignore

        /// For the table.
        package var effect: String {
            switch self {
            case .newCall: "a new call: see the table of calls"
            case .settle: "ended with that reason"
            case .repeatEnd: "own `decline`, `busy` or `hang_up` again"
            case .answerEnded: "answers `ended` with the known reason, or `lost`; counted"
            case .ignore: "counted"
            }
        }

        /// What is then known of the call; nil: as before.
        package var next: CallRecord? { self == .settle ? .ended : nil }
    }

    package func outcome(of event: CallMessage.Event) -> Outcome {
        switch (self, event) {
        case (.closing, .cancel), (.closing, .hangUp), (.closing, .ended): .settle
        case (.closing, .invite), (.closing, .resume): .repeatEnd
        // A caller does not say these.
        case (.closing, .ringing), (.closing, .accept), (.closing, .decline), (.closing, .busy): .ignore
        case (.unknown, .invite): .newCall
        case (.foreign, _): .ignore
        // Neither of these waits for an answer.
        case (.ended, .ended), (.ended, .cancel), (.unknown, .ended), (.unknown, .cancel): .ignore
        case (.ended, .invite), (.ended, .ringing), (.ended, .accept), (.ended, .decline), (.ended, .busy),
            (.ended, .hangUp), (.ended, .resume):
            .answerEnded
        case (.unknown, .ringing), (.unknown, .accept), (.unknown, .decline), (.unknown, .busy), (.unknown, .hangUp),
            (.unknown, .resume):
            .answerEnded
        }
    }
}
