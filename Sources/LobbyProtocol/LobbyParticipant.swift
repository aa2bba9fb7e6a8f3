import JSONText

/// A participant as the lobby describes it.
package struct LobbyParticipant: Sendable, Equatable {
    package var id: String
    /// For people; may be empty.
    package var name: String
    package var role: LobbyRole
    /// Made by the lobby for each join, never used twice: tells a participant's connections apart.
    package var session: Int64
    package var canPublish: Bool
    package var canSubscribe: Bool

    package init(
        id: String, name: String, role: LobbyRole, session: Int64, canPublish: Bool = true, canSubscribe: Bool = true
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.session = session
        self.canPublish = canPublish
        self.canSubscribe = canSubscribe
    }

    init(_ fields: MessageFields) throws(LobbyMessageError) {
        id = try fields.participantID("id")
        name = try fields.displayText("name") ?? ""
        role = try fields.role() ?? .host
        session = try fields.requiredInteger("session")
        canPublish = try fields.flag("canPublish") ?? true
        canSubscribe = try fields.flag("canSubscribe") ?? true
    }

    var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "role": .string(role.rawValue), "session": .integer(session),
            "canPublish": .bool(canPublish), "canSubscribe": .bool(canSubscribe),
        ]
    }
}
