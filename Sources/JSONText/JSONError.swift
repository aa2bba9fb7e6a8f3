/// Why a text is not the JSON we accept, and where.
package struct JSONError: Error, Equatable, CustomStringConvertible {
    /// Counted from 1; 0 when the problem has no place (too big).
    package var line: Int
    package var column: Int
    /// In plain words; never quotes the input, which may hold a secret.
    package var reason: Reason

    package enum Reason: String, Sendable {
        case tooBig = "too big"
        case tooDeep = "nested too deeply"
        case endsEarly = "ends too early"
        case trailingText = "something follows the value"
        case duplicateKey = "a key occurs twice"
        case notUTF8 = "not UTF-8"
        case numberOutOfRange = "a number is out of range"
        case nullCharacter = "a string holds a null character"
        case syntax = "not JSON"
    }

    package var description: String {
        line > 0 ? "line \(line), column \(column): \(reason.rawValue)" : reason.rawValue
    }
}
