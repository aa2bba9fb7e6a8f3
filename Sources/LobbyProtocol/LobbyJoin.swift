import JSONText

/// What a client says of itself to enter a room.
package struct LobbyJoin: Sendable, Equatable {
    package var room: String
    /// Nil: the token's, or one that the lobby makes.
    package var participantID: String?
    package var name: String?
    package var role: LobbyRole
    /// A secret: never logged.
    package var token: String?

    package init(
        room: String, participantID: String? = nil, name: String? = nil, role: LobbyRole = .host, token: String? = nil
    ) {
        self.room = room
        self.participantID = participantID
        self.name = name
        self.role = role
        self.token = token
    }

    init(_ fields: MessageFields) throws(LobbyMessageError) {
        if let version = try fields.integer("protocol"), version != LobbyLimits.protocolVersion {
            throw fields.problem("protocol must be \(LobbyLimits.protocolVersion): update the older side")
        }
        room = try fields.roomName()
        let participant = try fields.object("participant")
        participantID = try participant?.optionalParticipantID("id")
        name = try participant?.displayText("name")
        role = try fields.role() ?? .host
        token = try fields.text("token", maximumBytes: LobbyLimits.tokenBytes)
    }

    var members: [String: JSONValue] {
        var participant: [String: JSONValue] = [:]
        if let participantID { participant["id"] = .string(participantID) }
        if let name { participant["name"] = .string(name) }
        var members: [String: JSONValue] = [
            "protocol": .integer(LobbyLimits.protocolVersion), "room": .string(room),
            "participant": .object(participant), "role": .string(role.rawValue),
        ]
        if let token { members["token"] = .string(token) }
        return members
    }
}
