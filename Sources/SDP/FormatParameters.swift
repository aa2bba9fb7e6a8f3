/// The parameters of one payload format, `a=fmtp` (RFC 8866 §6.15), in the order in which they were written.
package struct FormatParameters: Hashable, Sendable {
    /// One `name=value`, or a bare word.
    package struct Entry: Hashable, Sendable {
        package var name: String
        package var value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    package var entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Parses `a=1;b=2`; empty parts are skipped.
    package init(parsing text: some StringProtocol) {
        entries = text.utf8.split(separator: UInt8(ascii: ";")).prefix(64).compactMap { part in
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = AttributeText.trimmed(sides[0])
            guard !name.isEmpty else { return nil }
            return Entry(name: name, value: sides.count == 2 ? AttributeText.trimmed(sides[1]) : nil)
        }
    }

    /// The value of the parameter, compared without regard to case.
    package subscript(name: String) -> String? {
        entries.first { $0.name.lowercased() == name }?.value
    }

    /// The value as a number, nil when it is missing or not one.
    package func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

    package var text: String {
        entries.map { entry in entry.value.map { "\(entry.name)=\($0)" } ?? entry.name }.joined(separator: ";")
    }
}
