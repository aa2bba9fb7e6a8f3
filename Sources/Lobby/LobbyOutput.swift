import LobbyProtocol
import WebSockets

/// What `LobbyCore` wants done.
package enum LobbyOutput: Sendable, Equatable {
    case send(to: WebSocketID, text: String)
    case close(WebSocketID, LobbyCloseCode, reason: String)
    /// A line for the log, in the words of product.md.
    case log(String)
}
