extension StateTables {
    /// What CALLS.md shows too.
    package static var calls: [StateTable] { [call, callRecords, speaking] }

    package static var call: StateTable {
        StateTable("Call", phase: \CallPhase.text, input: \CallInput.text) { input, phase in
            let outcome = CallTable.outcome(of: input, in: phase)
            if outcome == .nothing { return nil }
            return StateTable.Cell(next: outcome.nextText, effects: [outcome.effect])
        }
    }

    package static var callRecords: StateTable {
        StateTable(
            "Messages about a call that is not on", phase: \CallRecord.rawValue, input: { "`\($0.rawValue)`" }
        ) { (event: CallMessage.Event, record) in
            let outcome = record.outcome(of: event)
            return StateTable.Cell(next: outcome.next?.rawValue ?? "stays", effects: [outcome.effect])
        }
    }

    package static var speaking: StateTable {
        StateTable("Request to speak, seen by who asks", phase: \SpeakState.rawValue, input: \SpeakTable.Input.text) {
            input, state in
            let outcome = SpeakTable.outcome(of: input, in: state)
            switch outcome {
            case .nothing: return nil
            case .refuse(let error): return StateTable.Cell(next: "refused: \(error)")
            default: return StateTable.Cell(next: outcome.next?.rawValue ?? "stays", effects: [outcome.effect])
            }
        }
    }
}
