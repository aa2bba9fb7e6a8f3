/// Gathers the problems of one file; a hostile file cannot make it grow without limit.
struct ProblemList: Sendable {
    let file: String
    private(set) var problems: [ConfigurationProblem] = []
    private static let limit = 100

    init(file: String) {
        self.file = file
    }

    var count: Int { problems.count }
    /// Further problems are not kept, so looking for them is waste.
    var isFull: Bool { problems.count >= ProblemList.limit }

    mutating func report(
        _ position: TextPosition?, key: String, _ reason: String, allowed: String?, suggestion: String? = nil
    ) {
        guard !isFull else { return }
        problems.append(
            ConfigurationProblem(
                file: file, position: position, key: key, reason: reason, allowed: allowed, suggestion: suggestion))
    }

    /// In the order of the file.
    var sorted: [ConfigurationProblem] {
        problems.enumerated()
            .sorted { a, b in
                (a.element.position ?? .start, a.offset) < (b.element.position ?? .start, b.offset)
            }
            .map(\.element)
    }
}
