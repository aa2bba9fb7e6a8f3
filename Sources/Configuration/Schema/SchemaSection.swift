/// A group of keys, with the rules that hold between them.
struct SchemaSection<Target: Sendable>: Sendable {
    let keys: [SchemaKey<Target>]
    /// Looks at the whole group once its keys are read.
    let check: @Sendable (Target, GivenKeys, inout ProblemList) -> Void

    init(
        _ keys: [SchemaKey<Target>],
        check: @escaping @Sendable (Target, GivenKeys, inout ProblemList) -> Void = { _, _, _ in }
    ) {
        self.keys = keys
        self.check = check
    }

    func read(
        _ node: YAMLNode, _ place: SchemaPlace, into target: inout Target, _ problems: inout ProblemList
    ) {
        if node.isNull {
            check(target, GivenKeys(place: place, position: node.position), &problems)
            return
        }
        let entries: [YAMLEntry]
        switch node.content {
        case .mapping(let list): entries = list
        case .refused: return
        case .scalar, .sequence:
            problems.report(
                node.position, key: place.key.isEmpty ? "YAML" : place.key, "\(node.kind) stands here",
                allowed: "a group of the keys \(names)")
            return
        }
        var given = GivenKeys(place: place, position: node.position)
        for entry in entries {
            if problems.isFull { return }
            if let first = given.position(entry.name) {
                problems.report(
                    entry.position, key: place.child(entry.name).key,
                    "the key stands here a second time, first in line \(first.line)", allowed: "once")
                continue
            }
            guard let key = keys.first(where: { $0.name == entry.name }) else {
                reportUnknown(entry, place, &problems)
                continue
            }
            let before = problems.count
            key.read(entry.value, place.child(key.name), &target, &problems)
            given.add(entry, isValid: problems.count == before)
        }
        check(target, given, &problems)
    }

    func rows(_ path: String, _ defaults: Target) -> [SchemaRow] {
        keys.flatMap { key in key.rows(path.isEmpty ? key.name : "\(path).\(key.name)", defaults) }
    }

    private var names: String { keys.map(\.name).joined(separator: ", ") }

    private func reportUnknown(_ entry: YAMLEntry, _ place: SchemaPlace, _ problems: inout ProblemList) {
        let suggestion =
            NearestWord.find(entry.name, in: keys.map(\.name)) ?? ConfigurationSchema.path(ofKey: entry.name)
        let name = isWord(entry.name) ? entry.name : quoted(entry.name)
        problems.report(
            entry.position, key: place.child(name).key, "unknown key", allowed: names, suggestion: suggestion)
    }

    private func isWord(_ name: String) -> Bool {
        (1...40).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3A }
    }
}
