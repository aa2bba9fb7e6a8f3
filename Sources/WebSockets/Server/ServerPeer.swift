import CWebSocketShims
import MediaTypes

/// One accepted connection as `ServerLoop` knows it: first HTTP, then perhaps a WebSocket.
final class ServerPeer {
    let address: String
    /// Set when the WebSocket is open.
    var id: WebSocketID?
    var incoming: IncomingMessage
    var outgoing: OutgoingQueue
    /// What the queue is followed by.
    var closing: (code: UInt16, reason: String)?
    var closedByPeer: (code: UInt16, reason: String)?
    var lastHeard: MonotonicTime
    /// The file that is being sent, and how much of it has been.
    var transfer: (file: HTTPFile, offset: Int)?

    init(address: String, configuration: WebSocketServerConfiguration, at now: MonotonicTime) {
        self.address = address
        incoming = IncomingMessage(maximumBytes: configuration.maximumMessageBytes)
        outgoing = OutgoingQueue(maximumBytes: configuration.maximumQueueBytes)
        lastHeard = now
    }
}
