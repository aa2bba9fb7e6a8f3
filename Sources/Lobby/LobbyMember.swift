import LobbyProtocol
import WebSockets

/// A participant inside a room: what the others see of it, what it may do, and where it is reached.
struct LobbyMember {
    var participant: LobbyParticipant
    var connection: WebSocketID
    /// The right to publish in the role of a host.
    var mayPublish: Bool
    var canPublishData: Bool
    var canKick: Bool
    /// In the order of publishing.
    var streams: [LobbyStream] = []

    /// Whether media may flow between two in either direction.
    static func mayMeet(_ a: LobbyParticipant, _ b: LobbyParticipant) -> Bool {
        a.canPublish && b.canSubscribe || b.canPublish && a.canSubscribe
    }
}
