import MediaTypes

/// Builds a ``SessionDescription`` from its lines, one after the other.
struct DescriptionReader {
    private var hasVersion = false
    private var description: SessionDescription?
    /// What the writer gave once for the session; the pattern for its lines.
    private var defaults = LineReader(line: MediaDescription(media: "", port: 0, proto: "", formats: []))
    private var current: LineReader?

    /// Takes one line; false when the text cannot be a description.
    mutating func read(type: UInt8, value: String) -> Bool {
        guard hasVersion else {
            hasVersion = type == UInt8(ascii: "v") && value == "0"
            return hasVersion
        }
        switch type {
        case UInt8(ascii: "o"): return readOrigin(value)
        case UInt8(ascii: "m"): return readMediaLine(value)
        case UInt8(ascii: "a"):
            guard description != nil else { return false }
            readAttribute(value)
        case UInt8(ascii: "b"): current?.readBandwidth(value)
        default: break
        }
        return true
    }

    /// The description, unless it lacks its origin or contradicts itself.
    mutating func finish() -> SessionDescription? {
        closeLine()
        guard let description else { return nil }
        let mids = description.lines.compactMap(\.mid)
        guard Set(mids).count == mids.count else { return nil }
        return description
    }

    private mutating func readOrigin(_ value: String) -> Bool {
        let words = AttributeText.words(value, limit: 8)
        guard description == nil, words.count == 6 else { return false }
        // Some writers use numbers beyond 64 bits; nothing depends on them.
        description = SessionDescription(
            sessionID: UInt64(words[1]) ?? 0, sessionVersion: UInt64(words[2]) ?? 0)
        return true
    }

    private mutating func readMediaLine(_ value: String) -> Bool {
        closeLine()
        let words = AttributeText.words(value)
        guard let count = description?.lines.count, count < SessionDescription.maximumLineCount, words.count >= 4,
            words.allSatisfy({ AttributeText.isPlainWord($0, maximumBytes: 64) }),
            let port = UInt16(AttributeText.split(words[1], at: UInt8(ascii: "/")).0)
        else { return false }
        let formats = Array(words.dropFirst(3).prefix(SessionDescription.maximumEntriesPerLine))
        current = LineReader(
            line: MediaDescription(media: words[0], port: Int(port), proto: words[2], formats: formats))
        return true
    }

    private mutating func readAttribute(_ attribute: String) {
        let (name, value) = AttributeText.split(attribute, at: UInt8(ascii: ":"))
        switch name {
        case "group":
            let words = AttributeText.words(value ?? "", limit: SessionDescription.maximumLineCount + 1)
            if words.first == "BUNDLE" { description?.bundleGroups.append(Array(words.dropFirst())) }
        case "ice-lite": description?.isICELite = true
        case "extmap-allow-mixed": description?.allowsMixedExtensions = true
        default:
            if current == nil {
                defaults.readAttribute(name, value ?? "")
            } else {
                current?.readAttribute(name, value ?? "")
            }
        }
    }

    private mutating func closeLine() {
        guard let finished = current?.finish(defaults: defaults) else { return }
        description?.lines.append(finished)
        current = nil
    }
}
