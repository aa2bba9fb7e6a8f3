/// One key of a group: its name, what it may hold, where its value goes, and what it is for.
///
/// The same entry reads the file and describes itself, so that messages, documents and behaviour cannot differ.
struct SchemaKey<Target: Sendable>: Sendable {
    let name: String
    let documentation: String
    /// Reads the value into the target; reports what is wrong.
    let read: @Sendable (YAMLNode, SchemaPlace, inout Target, inout ProblemList) -> Void
    /// The rows of this key, and of what stands below it, in documents.
    var rows: @Sendable (_ path: String, _ defaults: Target) -> [SchemaRow]

    /// A key with a default.
    static func value<Value>(
        _ name: String, _ value: SchemaValue<Value>, _ keyPath: any WritableKeyPath<Target, Value> & Sendable,
        _ documentation: String
    ) -> SchemaKey {
        SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                if let read = value.read(node, place, &problems) { target[keyPath: keyPath] = read }
            },
            rows: { path, defaults in
                [
                    SchemaRow(
                        path: path, allowed: value.allowed, defaultText: value.spell(defaults[keyPath: keyPath]),
                        documentation: documentation)
                ]
            })
    }

    /// A key without a default, which the group's rules ask for.
    static func required<Value>(
        _ name: String, _ value: SchemaValue<Value>, _ keyPath: any WritableKeyPath<Target, Value> & Sendable,
        _ documentation: String
    ) -> SchemaKey {
        var key = SchemaKey.value(name, value, keyPath, documentation)
        key.rows = { path, _ in
            [SchemaRow(path: path, allowed: value.allowed, defaultText: nil, documentation: documentation)]
        }
        return key
    }

    /// A key that may be absent.
    static func optional<Value>(
        _ name: String, _ value: SchemaValue<Value>, _ keyPath: any WritableKeyPath<Target, Value?> & Sendable,
        _ documentation: String
    ) -> SchemaKey {
        SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                if let read = value.read(node, place, &problems) { target[keyPath: keyPath] = read }
            },
            rows: { path, _ in
                [SchemaRow(path: path, allowed: value.allowed, defaultText: nil, documentation: documentation)]
            })
    }

    /// A group of keys; the group without a value is the same as no group.
    static func section<Child>(
        _ name: String, _ section: SchemaSection<Child>, _ keyPath: any WritableKeyPath<Target, Child> & Sendable,
        _ documentation: String
    ) -> SchemaKey {
        SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                section.read(node, place, into: &target[keyPath: keyPath], &problems)
            },
            rows: { path, defaults in section.rows(path, defaults[keyPath: keyPath]) })
    }

    /// A list of groups.
    static func sections<Child>(
        _ name: String, maximumCount: Int, _ section: SchemaSection<Child>, empty: Child,
        _ keyPath: any WritableKeyPath<Target, [Child]> & Sendable, _ documentation: String
    ) -> SchemaKey {
        let allowed = "a list of at most \(maximumCount) groups of keys"
        return SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                guard let items = listItems(node, place, allowed, 0...maximumCount, &problems) else { return }
                target[keyPath: keyPath] = items.enumerated().map { index, item in
                    var child = empty
                    section.read(item, place.item(index), into: &child, &problems)
                    return child
                }
            },
            rows: { path, _ in section.rows("\(path)[]", empty) })
    }

    /// A group whose keys are names of the file's own choice: pins with their lines. A pin without a group is its line.
    static func named(
        _ name: String, maximumCount: Int, _ keyName: SchemaValue<String>, _ section: SchemaSection<BoardProfile.Pin>,
        _ keyPath: any WritableKeyPath<Target, [BoardProfile.Pin]> & Sendable, _ documentation: String
    ) -> SchemaKey {
        let allowed = "a group of at most \(maximumCount) pins, each with its line"
        return SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                if node.isNull { return }
                if case .refused = node.content { return }
                guard case .mapping(let entries) = node.content, entries.count <= maximumCount else {
                    let reason =
                        if case .mapping = node.content { "the group is too large" } else { "\(node.kind) stands here" }
                    problems.report(node.position, key: place.key, reason, allowed: allowed)
                    return
                }
                var pins: [BoardProfile.Pin] = []
                for entry in entries {
                    let keyNode = YAMLNode(position: entry.position, content: .scalar(entry.name, isPlain: true))
                    guard let pinName = keyName.read(keyNode, place, &problems) else { continue }
                    if pins.contains(where: { $0.name == pinName }) {
                        problems.report(
                            entry.position, key: place.child(pinName).key, "the pin stands here a second time",
                            allowed: "once")
                        continue
                    }
                    var pin = BoardProfile.Pin()
                    pin.name = pinName
                    if case .scalar = entry.value.content {
                        pin.line = SchemaValue.line.read(entry.value, place.child(pinName), &problems) ?? ""
                    } else {
                        section.read(entry.value, place.child(pinName), into: &pin, &problems)
                    }
                    pins.append(pin)
                }
                target[keyPath: keyPath] = pins
            },
            rows: { path, _ in
                [SchemaRow(path: path, allowed: allowed, defaultText: nil, documentation: documentation)]
                    + section.rows("\(path).PIN", BoardProfile.Pin())
            })
    }

    /// A key for the usual case of a list: one value.
    static func single<Value>(
        _ name: String, _ value: SchemaValue<Value>, _ keyPath: any WritableKeyPath<Target, [Value]> & Sendable,
        _ documentation: String
    ) -> SchemaKey {
        SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                if let read = value.read(node, place, &problems) { target[keyPath: keyPath] = [read] }
            },
            rows: { path, defaults in
                [
                    SchemaRow(
                        path: path, allowed: value.allowed,
                        defaultText: defaults[keyPath: keyPath].first.flatMap { value.spell($0) },
                        documentation: documentation)
                ]
            })
    }

    /// A list of values; where `allowsSingle`, one value stands for a list of one.
    static func list<Value>(
        _ name: String, _ value: SchemaValue<Value>, count: ClosedRange<Int>, allowsSingle: Bool = false,
        _ keyPath: any WritableKeyPath<Target, [Value]> & Sendable, _ documentation: String
    ) -> SchemaKey {
        let allowed =
            "\(allowsSingle ? "one or " : "")a list of \(count.lowerBound) to \(count.upperBound): "
            + value.allowed
        return SchemaKey(
            name: name, documentation: documentation,
            read: { node, place, target, problems in
                if allowsSingle, case .scalar = node.content {
                    if let read = value.read(node, place, &problems) { target[keyPath: keyPath] = [read] }
                    return
                }
                guard let items = listItems(node, place, allowed, count, &problems) else { return }
                target[keyPath: keyPath] = items.enumerated().compactMap { index, item in
                    value.read(item, place.item(index), &problems)
                }
            },
            rows: { path, defaults in
                let spelled = defaults[keyPath: keyPath].compactMap { value.spell($0) }
                return [
                    SchemaRow(
                        path: path, allowed: allowed,
                        defaultText: spelled.isEmpty ? nil : "[\(spelled.joined(separator: ", "))]",
                        documentation: documentation)
                ]
            })
    }
}

/// The items of a list of the right length; anything else is reported. A list without a value is empty.
private func listItems(
    _ node: YAMLNode, _ place: SchemaPlace, _ allowed: String, _ count: ClosedRange<Int>,
    _ problems: inout ProblemList
) -> [YAMLNode]? {
    let items: [YAMLNode]
    switch node.content {
    case .refused: return nil
    case .sequence(let list): items = list
    case .scalar where node.isNull: items = []
    case .scalar, .mapping:
        problems.report(node.position, key: place.key, "\(node.kind) stands here", allowed: allowed)
        return nil
    }
    guard count.contains(items.count) else {
        problems.report(node.position, key: place.key, "the list has \(items.count) items", allowed: allowed)
        return nil
    }
    return items
}
