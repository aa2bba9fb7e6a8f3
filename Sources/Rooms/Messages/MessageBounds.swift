import JSONText

/// Reads members of a room message within the bounds of CALLS.md.
struct MessageBounds {
    static let idLength = 64
    static let textLength = 200

    var members: [String: JSONValue]

    /// 1–64 characters of `!` … `~`; nil when missing or something else.
    func id(_ key: String) -> String? {
        guard let text = members[key]?.string, MessageBounds.isID(text) else { return nil }
        return text
    }

    /// At most 200 characters without control characters.
    func text(_ key: String) -> String? {
        guard let text = members[key]?.string, MessageBounds.isText(text) else { return nil }
        return text
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let integer = members[key]?.integer, range.contains(integer) else { return nil }
        return integer
    }

    /// null counts as missing: that is what JavaScript may write.
    func isMissing(_ key: String) -> Bool {
        members[key].map(\.isNull) ?? true
    }

    static func isID(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...idLength).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }

    static func isText(_ text: String) -> Bool {
        // Cheap test first: a hostile text may be long.
        guard text.utf8.count <= 4 * textLength else { return false }
        let scalars = text.unicodeScalars
        return scalars.count <= textLength && !scalars.contains(where: isControl)
    }

    /// The text as far as it is within the bounds, for what this side writes.
    static func clipped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text.unicodeScalars.lazy.filter { !isControl($0) }.prefix(textLength))
        return String(result)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }
}
