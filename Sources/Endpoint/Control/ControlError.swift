/// Why the control socket could not be used, for the person at the board.
package enum ControlError: Error, CustomStringConvertible {
    case system(path: String, operation: String, text: String)
    case pathTooLong(path: String)
    case noEndpoint(path: String)
    case badAnswer(path: String)
    case inUse(path: String)

    package var description: String {
        switch self {
        case .system(let path, let operation, let text): "control socket \(path): \(operation) failed: \(text)"
        case .pathTooLong(let path): "control socket \(path): the path is longer than 107 bytes"
        case .noEndpoint(let path): "no endpoint is running with control socket \(path)"
        case .badAnswer(let path): "control socket \(path): the endpoint's answer was cut off"
        case .inUse(let path): "control socket \(path) belongs to an endpoint that is running"
        }
    }
}
