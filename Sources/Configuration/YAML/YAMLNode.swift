/// One value of the configuration file, and where it stands.
struct YAMLNode: Sendable {
    /// What the value is; what a plain text means is for the schema to say.
    enum Content: Sendable {
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
        /// Something that was refused and reported already.
        case refused
    }

    var position: TextPosition
    var content: Content

    /// Nothing, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let text, isPlain: true) = content else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    /// What the value is, in a person's words.
    var kind: String {
        if isNull { return "no value" }
        return switch content {
        case .scalar: "a single value"
        case .sequence: "a list"
        case .mapping: "a group of keys"
        case .refused: "refused"
        }
    }
}

/// A key of a mapping with its value.
struct YAMLEntry: Sendable {
    var name: String
    var position: TextPosition
    var value: YAMLNode
}
