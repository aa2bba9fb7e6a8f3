/// The options of one subcommand: `--name value`, `--name=value`, flags, and what is left over.
struct Arguments {
    struct Problem: Error {
        var text: String
    }

    private(set) var options: [String: String] = [:]
    private(set) var flags: Set<String> = []
    private(set) var rest: [String] = []

    /// - Parameters:
    ///   - options: names that take a value.
    ///   - flags: names that take none.
    ///   - maximumRest: how many plain words may follow.
    init(
        _ words: [String], options allowedOptions: Set<String> = [], flags allowedFlags: Set<String> = [],
        maximumRest: Int = 0
    ) throws(Problem) {
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            guard word.hasPrefix("--") else {
                rest.append(word)
                continue
            }
            let body = word.dropFirst(2)
            let name: String
            var value: String?
            if let equals = body.firstIndex(of: "=") {
                name = String(body[..<equals])
                value = String(body[body.index(after: equals)...])
            } else {
                name = String(body)
            }
            if allowedFlags.contains(name), value == nil {
                flags.insert(name)
            } else if allowedOptions.contains(name) {
                if value == nil {
                    guard index < words.count else { throw Problem(text: "--\(name) needs a value") }
                    value = words[index]
                    index += 1
                }
                options[name] = value
            } else {
                throw Problem(text: "no option --\(name) here")
            }
        }
        guard rest.count <= maximumRest else { throw Problem(text: "'\(rest[maximumRest])' is one word too many") }
    }

    func integer(_ name: String, _ range: ClosedRange<Int>) throws(Problem) -> Int? {
        guard let text = options[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw Problem(text: "--\(name) \(text): a number from \(range.lowerBound) to \(range.upperBound) is needed")
        }
        return value
    }
}
