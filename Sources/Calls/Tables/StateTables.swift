/// Every state table of the endpoint, as ARCHITECTURE.md shows them (`Tools/state-tables` writes them there).
package enum StateTables {
    package static var all: [StateTable] { [room, publisher, player] + calls }

    package static var room: StateTable {
        StateTable("Room", phase: \RoomPhase.text, input: \RoomInput.text) { input, phase in
            switch RoomTable.outcome(of: input, in: phase) {
            case .refused(let error): StateTable.Cell(next: "refused: `\(error)`")
            case .ignored: nil
            case .change(let next, let effects):
                StateTable.Cell(next: next == phase ? "stays" : next.text, effects: effects.map(\.rawValue))
            }
        }
    }

    package static var publisher: StateTable {
        StateTable("Publisher", phase: \PublisherPhase.text, input: \PublisherInput.rawValue) { input, phase in
            switch PublisherTable.outcome(of: input, in: phase) {
            case .ignored: nil
            case .change(let next, let effects): StateTable.Cell(next: next.text, effects: effects.map(\.rawValue))
            }
        }
    }

    package static var player: StateTable {
        StateTable("Player, one for each remote stream", phase: \PlayerPhase.text, input: \PlayerInput.rawValue) {
            input, phase in
            PlayerTable.next(after: input, in: phase).map {
                StateTable.Cell(next: $0 == phase ? "stays" : $0.text)
            }
        }
    }
}
