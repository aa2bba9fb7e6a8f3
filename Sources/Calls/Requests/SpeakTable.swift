/// The table of requests to speak, seen from the audience: what each input does in each state.
package enum SpeakTable {
    package enum Input: String, CaseIterable, Hashable, Sendable {
        case apply
        case cancel
        /// From a host, for this application.
        case accept
        case reject
        /// From a host, for another application of this participant.
        case otherAccept
        /// Everything else.
        case otherMessage
        case timeOut
        case roomLost

        /// For the table.
        package var text: String {
            switch self {
            case .apply: "command: apply"
            case .cancel: "command: cancel"
            case .accept: "accepted by a host"
            case .reject: "rejected by a host"
            case .otherAccept: "an earlier application accepted by a host"
            case .otherMessage: "another message, or not from a host"
            case .timeOut: "60 s are over"
            case .roomLost: "the room is lost"
            }
        }
    }

    package enum Outcome: Hashable, Sendable {
        case refuse(SpeakError)
        case apply
        case withdraw(SpeakReason)
        case speak
        case stop(SpeakReason)
        case withdrawOther
        case ignore
        case nothing

        /// The state that follows; nil: stays.
        package var next: SpeakState? {
            switch self {
            case .refuse, .withdrawOther, .ignore, .nothing: nil
            case .apply: .applied
            case .speak: .speaking
            case .withdraw, .stop: .idle
            }
        }

        /// For the table.
        package var effect: String {
            switch self {
            case .refuse, .nothing: ""
            case .apply: "sends 10000"
            case .withdraw(let reason): "sends 10001; `\(reason)`"
            case .speak: "`accepted`"
            case .stop(let reason): "`\(reason)`"
            case .withdrawOther: "sends 10001 for that one; counted"
            case .ignore: "counted"
            }
        }
    }

    package static func outcome(of input: Input, in state: SpeakState) -> Outcome {
        switch (state, input) {
        case (.idle, .apply): .apply
        case (.applied, .apply), (.speaking, .apply): .refuse(.alreadyApplied)
        case (.idle, .cancel): .refuse(.notApplied)
        case (.applied, .cancel), (.speaking, .cancel): .withdraw(.cancelled)
        case (.idle, .accept): .withdrawOther
        case (.applied, .accept): .speak
        case (.speaking, .accept), (.idle, .reject): .ignore
        case (.applied, .reject), (.speaking, .reject): .stop(.rejected)
        case (_, .otherAccept): .withdrawOther
        case (_, .otherMessage): .ignore
        case (.applied, .timeOut): .withdraw(.timedOut)
        case (.idle, .timeOut), (.speaking, .timeOut), (.idle, .roomLost): .nothing
        case (.applied, .roomLost), (.speaking, .roomLost): .stop(.roomLost)
        }
    }
}
