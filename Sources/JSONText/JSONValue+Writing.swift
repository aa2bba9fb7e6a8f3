extension JSONValue {
    /// The value as JSON, keys sorted, so that equal values give equal texts.
    ///
    /// A number that JSON cannot express (not finite) becomes `null`.
    package func text(pretty: Bool = false) -> String {
        var out = ""
        write(to: &out, pretty: pretty, level: 0)
        return out
    }

    private func write(to out: inout String, pretty: Bool, level: Int) {
        switch self {
        case .null: out += "null"
        case .bool(let value): out += value ? "true" : "false"
        case .integer(let value): out += String(value)
        case .number(let value): out += value.isFinite ? String(value) : "null"
        case .string(let value): Self.write(quoted: value, to: &out)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { out += "," }
                Self.breakLine(&out, pretty, level + 1)
                element.write(to: &out, pretty: pretty, level: level + 1)
            }
            if !elements.isEmpty { Self.breakLine(&out, pretty, level) }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, key) in members.keys.sorted().enumerated() {
                if index > 0 { out += "," }
                Self.breakLine(&out, pretty, level + 1)
                Self.write(quoted: key, to: &out)
                out += pretty ? ": " : ":"
                members[key]?.write(to: &out, pretty: pretty, level: level + 1)
            }
            if !members.isEmpty { Self.breakLine(&out, pretty, level) }
            out += "}"
        }
    }

    private static func breakLine(_ out: inout String, _ pretty: Bool, _ level: Int) {
        guard pretty else { return }
        out += "\n"
        for _ in 0..<level { out += "  " }
    }

    private static func write(quoted text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}

extension JSONValue: CustomStringConvertible {
    package var description: String { text() }
}
