/// Brings what an ICE agent says to the connection that owns it; breaks the cycle in which each would need the other.
final class ICEAgentRelay {
    private weak var connection: PeerConnection?
    private weak var agent: ICEAgent?

    func connect(_ connection: PeerConnection, _ agent: ICEAgent) {
        self.connection = connection
        self.agent = agent
    }

    func receive(_ event: ICEAgent.Event) {
        guard let connection, let agent else { return }
        connection.handle(event, from: agent)
    }

    func receive(_ datagram: UnsafeMutableRawBufferPointer) {
        connection?.receive(datagram: datagram)
    }
}
