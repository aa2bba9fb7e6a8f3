import JSONText

/// What a client says of itself to enter a room.
package struct LobbyJoin: Sendable, Equatable {
    package var room: String
    /// Nil: the token's, or one that the lobby makes.
    package var participantID: String?
    package var name: String?
    package var role: LobbyRole
    /// False: do not take the place of a participant with the same id.
    package var mayReplace: Bool
    /// A secret: never logged.
    package var token: String?

    package init(
        room: String, participantID: String? = nil, name: String? = nil, role: LobbyRole = .host,
        mayReplace: Bool = true,
        token: String? = nil
    ) {
        self.room = room
        self.participantID = participantID
        self.name = name
        self.role = role
        self.mayReplace = mayReplace
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
        mayReplace = try fields.flag("mayReplace") ?? true
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
        if !mayReplace { members["mayReplace"] = false }
        if let token { members["token"] = .string(token) }
        return members
    }
}
