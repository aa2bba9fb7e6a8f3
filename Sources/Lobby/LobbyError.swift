import WebSockets

/// Why a lobby cannot start.
package enum LobbyError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Without keys anybody who reaches the address could join: only loopback is served so.
    case keyNeeded(address: String)
    case server(WebSocketError)

    package var description: String {
        switch self {
        case .keyNeeded(let address):
            "listening on \(address) needs a key file; without keys the lobby serves this machine only"
        case .server(let error): error.description
        }
    }
}
