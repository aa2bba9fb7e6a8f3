import LobbyProtocol
import WebSockets

/// How a lobby is set up.
package struct LobbyConfiguration: Sendable {
    /// The address to listen on; nil: all of them. Without keys only loopback is listened on and accepted.
    package var address: String?
    /// 0: one that the system chooses.
    package var port: UInt16
    /// Nobody but loopback gets in without keys.
    package var keys: [LobbyKey]
    /// Nil: plain HTTP and WS.
    package var tls: ServerTLS?
    /// STUN and TURN servers recommended to everybody who joins.
    package var iceServers: [LobbyICEServer]
    package var maximumParticipants: Int
    package var maximumRooms: Int
    package var maximumConnections: Int

    package init(
        address: String? = nil, port: UInt16 = 8080, keys: [LobbyKey] = [], tls: ServerTLS? = nil,
        iceServers: [LobbyICEServer] = [], maximumParticipants: Int = LobbyLimits.participantsPerRoom,
        maximumRooms: Int = 32, maximumConnections: Int = 64
    ) {
        self.address = address
        self.port = port
        self.keys = keys
        self.tls = tls
        self.iceServers = iceServers
        self.maximumParticipants = maximumParticipants
        self.maximumRooms = maximumRooms
        self.maximumConnections = maximumConnections
    }

    /// Whether only processes of this machine may join.
    package var isLoopbackOnly: Bool { keys.isEmpty }
}
