import MediaTypes

extension SchemaValue where Value == Int {
    /// A whole number in decimal digits.
    static func integer(_ range: ClosedRange<Int>, isEven: Bool = false) -> SchemaValue {
        let allowed = "an \(isEven ? "even " : "")integer from \(range.lowerBound) to \(range.upperBound)"
        return SchemaValue(
            allowed: allowed,
            read: { node, place, problems in
                guard let text = plainText(node, place, allowed, &problems) else { return nil }
                guard let number = decimal(text) else {
                    problems.report(
                        node.position, key: place.key, "\(quoted(text)) is no integer", allowed: allowed)
                    return nil
                }
                guard range.contains(number), !isEven || number % 2 == 0 else {
                    let reason =
                        number < range.lowerBound
                        ? "is too small" : number > range.upperBound ? "is too large" : "is odd"
                    problems.report(node.position, key: place.key, "\(text) \(reason)", allowed: allowed)
                    return nil
                }
                return number
            },
            spell: { String($0) })
    }
}

extension SchemaValue where Value == Bool {
    /// `true` or `false`.
    static let boolean = SchemaValue(
        allowed: "true or false",
        read: { node, place, problems in
            guard let text = plainText(node, place, "true or false", &problems) else { return nil }
            switch text {
            case "true", "True", "TRUE": return true
            case "false", "False", "FALSE": return false
            default:
                let lower = text.lowercased()
                let suggestion =
                    ["yes", "on", "y", "1"].contains(lower)
                    ? "true" : ["no", "off", "n", "0"].contains(lower) ? "false" : nil
                problems.report(
                    node.position, key: place.key, "\(quoted(text)) is neither true nor false",
                    allowed: "true or false",
                    suggestion: suggestion ?? NearestWord.find(text, in: ["true", "false"]))
                return nil
            }
        },
        spell: { String($0) })
}

extension SchemaValue where Value == Bitrate {
    /// A rate with a unit, or a number of bit/s.
    static func bitrate(_ range: ClosedRange<Bitrate>) -> SchemaValue {
        let allowed = "\(BitrateText.spell(range.lowerBound)) to \(BitrateText.spell(range.upperBound))"
        return SchemaValue(
            allowed: allowed,
            read: { node, place, problems in
                guard let text = anyText(node, place, allowed, &problems) else { return nil }
                guard let rate = BitrateText.parse(text) else {
                    problems.report(
                        node.position, key: place.key, "\(quoted(text)) is no bit rate", allowed: allowed,
                        suggestion: BitrateText.suggestion(text))
                    return nil
                }
                guard range.contains(rate) else {
                    problems.report(
                        node.position, key: place.key,
                        "\(quoted(text)) is too \(rate < range.lowerBound ? "small" : "large")", allowed: allowed)
                    return nil
                }
                return rate
            },
            spell: { BitrateText.spell($0) })
    }
}

extension SchemaValue where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a few words.
    static func choice(_ type: Value.Type) -> SchemaValue {
        let words = Value.allCases.map(\.rawValue)
        let allowed = words.joined(separator: ", ")
        return SchemaValue(
            allowed: allowed,
            read: { node, place, problems in
                guard let text = anyText(node, place, allowed, &problems) else { return nil }
                guard let value = Value(rawValue: text) else {
                    problems.report(
                        node.position, key: place.key, "\(quoted(text)) is not known", allowed: allowed,
                        suggestion: NearestWord.find(text, in: words))
                    return nil
                }
                return value
            },
            spell: { $0.rawValue })
    }
}

extension SchemaValue where Value == Secret {
    /// Text that no message repeats.
    static let secret = SchemaValue(
        allowed: "a text of 1 to 8192 characters",
        read: { node, place, problems in
            let allowed = "a text of 1 to 8192 characters"
            guard let text = anyText(node, place, allowed, &problems) else { return nil }
            guard (1...8_192).contains(text.unicodeScalars.count), !hasControlCharacters(text) else {
                problems.report(
                    node.position, key: place.key, "the text is empty, too long or has control characters",
                    allowed: allowed)
                return nil
            }
            return Secret(text)
        },
        spell: { _ in nil })
}

/// The scalar's text where it stands without quotes; anything else is reported.
private func plainText(
    _ node: YAMLNode, _ place: SchemaPlace, _ allowed: String, _ problems: inout ProblemList
) -> String? {
    guard let text = anyText(node, place, allowed, &problems) else { return nil }
    if case .scalar(_, isPlain: false) = node.content {
        problems.report(node.position, key: place.key, "\(quoted(text)) is a text in quotes", allowed: allowed)
        return nil
    }
    return text
}

/// The scalar's text; a missing value, a list or a group is reported.
func anyText(
    _ node: YAMLNode, _ place: SchemaPlace, _ allowed: String, _ problems: inout ProblemList
) -> String? {
    if case .refused = node.content { return nil }
    guard case .scalar(let text, _) = node.content, !node.isNull else {
        problems.report(node.position, key: place.key, "\(node.kind) stands here", allowed: allowed)
        return nil
    }
    return text
}

/// Digits without leading zeros, which YAML 1.1 would read as octal; at most nine, so that nothing overflows.
private func decimal(_ text: String) -> Int? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        digits == "0" || digits.first != "0"
    else { return nil }
    return Int(text)
}

/// Whether the text has what no name, path or password has.
func hasControlCharacters(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}
