/// How a `WebSocketServer` listens, and its limits.
package struct WebSocketServerConfiguration: Sendable {
    /// Numeric; nil: every address of the machine.
    package var address: String?
    /// 0: one that the system chooses.
    package var port: UInt16
    /// Only peers of this machine are accepted, and only a Host that names this machine.
    package var isLoopbackOnly: Bool
    package var tls: ServerTLS?
    /// Where WebSockets are; everything else is a file.
    package var webSocketPath: String
    package var subprotocol: String
    package var files: [HTTPFile]
    package var maximumMessageBytes: Int
    package var maximumConnections: Int
    package var maximumConnectionsPerAddress: Int
    /// Bytes that may wait for one client; a client that falls further behind is closed.
    package var maximumQueueBytes: Int
    package var handshakeSeconds: UInt32
    package var pingSeconds: UInt32
    package var silenceSeconds: UInt32

    package init(
        address: String? = nil, port: UInt16, isLoopbackOnly: Bool, tls: ServerTLS? = nil,
        webSocketPath: String = "/ws",
        subprotocol: String, files: [HTTPFile] = [], maximumMessageBytes: Int = 1 << 20, maximumConnections: Int = 64,
        maximumConnectionsPerAddress: Int = 24, maximumQueueBytes: Int = 2 << 20, handshakeSeconds: UInt32 = 10,
        pingSeconds: UInt32 = 4, silenceSeconds: UInt32 = 10
    ) {
        self.address = address
        self.port = port
        self.isLoopbackOnly = isLoopbackOnly
        self.tls = tls
        self.webSocketPath = webSocketPath
        self.subprotocol = subprotocol
        self.files = files
        self.maximumMessageBytes = maximumMessageBytes
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerAddress = maximumConnectionsPerAddress
        self.maximumQueueBytes = maximumQueueBytes
        self.handshakeSeconds = handshakeSeconds
        self.pingSeconds = pingSeconds
        self.silenceSeconds = silenceSeconds
    }
}
