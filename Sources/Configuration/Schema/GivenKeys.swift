/// Which keys of a group the file has, for the rules between them.
struct GivenKeys: Sendable {
    private let place: SchemaPlace
    private let groupPosition: TextPosition
    private var keys: [String: (position: TextPosition, isValid: Bool, value: YAMLNode)] = [:]

    init(place: SchemaPlace, position: TextPosition) {
        self.place = place
        groupPosition = position
    }

    mutating func add(_ entry: YAMLEntry, isValid: Bool) {
        keys[entry.name] = (entry.position, isValid, entry.value)
    }

    func has(_ name: String) -> Bool { keys[name] != nil }

    /// The full name of a key of the group.
    func key(_ name: String) -> String { place.child(name).key }

    func position(_ name: String) -> TextPosition? { keys[name]?.position }

    /// Where a key of a group stands that is an item of a list; the item's place where it lacks the key.
    func position(_ list: String, item: Int, _ name: String) -> TextPosition? {
        guard case .sequence(let items) = keys[list]?.value.content, items.indices.contains(item) else { return nil }
        guard case .mapping(let entries) = items[item].content else { return items[item].position }
        return entries.first { $0.name == name }?.position ?? items[item].position
    }

    /// Where a key of a group stands; the group's place where it lacks the key.
    func position(_ group: String, entry name: String) -> TextPosition? {
        guard case .mapping(let entries) = keys[group]?.value.content else { return keys[group]?.position }
        return entries.first { $0.name == name }?.position ?? keys[group]?.position
    }

    /// Whether a rule may rely on the key's value: it is absent, or was read without a problem.
    func isUsable(_ name: String) -> Bool { keys[name]?.isValid ?? true }

    /// Reports a broken rule at a key, or at its group where the file lacks the key.
    func report(_ name: String, _ reason: String, allowed: String?, _ problems: inout ProblemList) {
        problems.report(
            keys[name]?.position ?? groupPosition, key: place.child(name).key, reason, allowed: allowed)
    }

    /// Reports a key that the group cannot do without.
    func need(_ name: String, allowed: String, _ problems: inout ProblemList) {
        if !has(name) { report(name, "the key is missing", allowed: allowed, &problems) }
    }

    /// Reports the second of two keys that exclude each other.
    func exclude(_ a: String, _ b: String, _ problems: inout ProblemList) {
        guard let first = position(a), let second = position(b) else { return }
        let (name, other) = first < second ? (b, a) : (a, b)
        report(name, "\(other) is given too", allowed: "one of \(a) and \(b)", &problems)
    }

    /// Reports a key whose companion is missing.
    func require(_ companion: String, with name: String, _ problems: inout ProblemList) {
        guard has(name), !has(companion) else { return }
        report(name, "\(companion) is missing", allowed: "\(name) and \(companion) together", &problems)
    }
}
