/// Where a `WebSocketClient` connects to, and its limits.
package struct WebSocketClientConfiguration: Sendable {
    package var url: WebSocketURL
    package var subprotocol: String
    package var trust: ServerTrust
    /// Shared by the clients of one server, one after the other; nil: each starts from nothing.
    package var names: NameMemory?
    /// For everything from the name look-up's end to the open WebSocket, over all of the host's addresses.
    package var connectSeconds: Int
    package var maximumMessageBytes: Int
    /// Bytes that may wait for the server; when it falls further behind the connection is given up.
    package var maximumQueueBytes: Int
    package var pingSeconds: UInt32
    package var silenceSeconds: UInt32

    package init(
        url: WebSocketURL, subprotocol: String, trust: ServerTrust = .system, names: NameMemory? = nil,
        connectSeconds: Int = 10,
        maximumMessageBytes: Int = 1 << 20, maximumQueueBytes: Int = 1 << 20, pingSeconds: UInt32 = 4,
        silenceSeconds: UInt32 = 9
    ) {
        self.url = url
        self.subprotocol = subprotocol
        self.trust = trust
        self.names = names
        self.connectSeconds = connectSeconds
        self.maximumMessageBytes = maximumMessageBytes
        self.maximumQueueBytes = maximumQueueBytes
        self.pingSeconds = pingSeconds
        self.silenceSeconds = silenceSeconds
    }
}
