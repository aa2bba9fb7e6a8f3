import LobbyProtocol
import WebSockets

/// One room: its members in the order of joining.
struct LobbyRoom {
    var members: [LobbyMember] = []

    func index(of id: String) -> Int? {
        members.firstIndex { $0.participant.id == id }
    }
}
