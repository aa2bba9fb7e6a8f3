/// One JSON value: what signalling, the control socket and `--json` output are made of.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Deeper input is refused, so that neither the parser's nor our recursion can exhaust a small thread stack.
    package static let maximumDepth = 32

    /// The member of an object; nil when this is no object or has no such member.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    /// The element of an array; nil when this is no array or the index is outside it.
    package subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var isNull: Bool { self == .null }

    package var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// A whole number that was written without fraction and exponent.
    package var integer: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// Any number, whole or not.
    package var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    package var string: String? {
        guard case .string(let value) = self else { return nil }
        return value
    }

    package var array: [JSONValue]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    package var object: [String: JSONValue]? {
        guard case .object(let value) = self else { return nil }
        return value
    }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
}
