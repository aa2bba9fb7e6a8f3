/// A state machine's rules as rows for a reader: made by asking the machine itself for each phase × each input.
package struct StateTable: Sendable {
    /// What an input does; nil where it is ignored.
    package struct Cell: Sendable, Hashable {
        package var next: String
        package var effects: String

        package init(next: String, effects: [String] = []) {
            self.next = next
            self.effects = effects.joined(separator: ", ")
        }
    }

    private struct Row: Hashable {
        var inputs: [String]
        var cell: Cell
    }

    private struct Group {
        var phases: [String]
        var rows: [Row]
    }

    package let title: String
    /// How many phases, inputs and outcomes there are, the ignored ones included.
    package let size: (phases: Int, inputs: Int)
    private let groups: [Group]

    /// - Parameter cell: asked for every input in every phase.
    package init<Phase: CaseIterable, Input: CaseIterable>(
        _ title: String, phase phaseText: (Phase) -> String, input inputText: (Input) -> String,
        cell: (Input, Phase) -> Cell?
    ) {
        self.title = title
        size = (Phase.allCases.count, Input.allCases.count)
        var groups: [Group] = []
        for phase in Phase.allCases {
            var rows: [Row] = []
            for input in Input.allCases {
                guard let cell = cell(input, phase) else { continue }
                if let index = rows.firstIndex(where: { $0.cell == cell }) {
                    rows[index].inputs.append(inputText(input))
                } else {
                    rows.append(Row(inputs: [inputText(input)], cell: cell))
                }
            }
            if let index = groups.firstIndex(where: { $0.rows == rows }) {
                groups[index].phases.append(phaseText(phase))
            } else {
                groups.append(Group(phases: [phaseText(phase)], rows: rows))
            }
        }
        self.groups = groups
    }

    /// The table in Markdown. Phases that behave alike share their rows; inputs that are not named are ignored.
    package var markdown: String {
        var lines = [
            "#### \(title)", "",
            "\(size.phases) phases × \(size.inputs) inputs; what is not named is ignored.", "",
            "| in | when | then | and |", "| --- | --- | --- | --- |",
        ]
        for group in groups {
            for (index, row) in group.rows.enumerated() {
                let phases = index == 0 ? group.phases.map { "**\($0)**" }.joined(separator: "; ") : ""
                lines.append(
                    "| \(phases) | \(row.inputs.joined(separator: "; ")) | \(row.cell.next) | \(row.cell.effects) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
