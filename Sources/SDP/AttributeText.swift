/// Small pure helpers for the text of attributes.
///
/// They work on UTF-8 bytes because Swift joins carriage return and line feed, and a space with a following accent,
/// into one character, which a protocol parser must not.
enum AttributeText {
    /// The text without surrounding spaces and tabs.
    static func trimmed(_ bytes: some BidirectionalCollection<UInt8>) -> String {
        var rest = bytes[...]
        while let first = rest.first, isBlank(first) { rest = rest.dropFirst() }
        while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
        return String(decoding: rest, as: UTF8.self)
    }

    /// The words of a text, separated by one or more spaces.
    static func words(_ text: some StringProtocol, limit: Int = 256) -> [String] {
        text.utf8.split(separator: UInt8(ascii: " "), maxSplits: limit).prefix(limit).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Splits at the first `separator`; the second part is nil when there is none.
    static func split(_ text: some StringProtocol, at separator: UInt8) -> (String, String?) {
        let parts = text.utf8.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first else { return ("", nil) }
        return (
            String(decoding: first, as: UTF8.self), parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : nil
        )
    }

    /// Whether the text may be repeated in a description of ours: visible ASCII, not empty, not too long.
    static func isPlainWord(_ text: some StringProtocol, maximumBytes: Int) -> Bool {
        let bytes = text.utf8
        return !bytes.isEmpty && bytes.count <= maximumBytes && bytes.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
