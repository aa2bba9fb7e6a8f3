/// How a WebSocket connection ended.
package enum WebSocketClosure: Sendable, Equatable {
    /// The other side closed it with this code; 1005 when it gave none.
    case byPeer(code: UInt16, reason: String)
    /// This side closed it.
    case byUs(code: UInt16)
    /// The connection broke without a closing handshake.
    case lost
    /// The other side was silent for longer than the keep-alive allows.
    case silent
}
