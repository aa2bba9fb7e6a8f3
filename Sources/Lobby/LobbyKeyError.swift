import Realtime

/// Why a key file cannot be used.
package enum LobbyKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case system(path: String, SystemError)
    case malformed(path: String, line: Int, reason: String)

    package var description: String {
        switch self {
        case .system(let path, let error): "\(path): \(error)"
        case .malformed(let path, let line, let reason): "\(path):\(line): \(reason)"
        }
    }
}
