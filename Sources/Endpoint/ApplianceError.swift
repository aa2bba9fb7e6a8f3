/// Why an endpoint or a lobby cannot start, in words for the person at the board.
package enum ApplianceError: Error, CustomStringConvertible {
    /// A file that the configuration names, or a value that does not fit this machine.
    case configuration(String)
    case start(String)

    package var description: String {
        switch self {
        case .configuration(let text), .start(let text): text
        }
    }
}
