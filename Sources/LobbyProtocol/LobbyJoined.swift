import JSONText

/// The answer to `join`: who one is, what one may do, and who is there already.
package struct LobbyJoined: Sendable, Equatable {
    package var room: String
    /// The newcomer itself, with the id and name that count.
    package var participant: LobbyParticipant
    package var canPublishData: Bool
    package var canKick: Bool
    package var maximumParticipants: Int
    /// The others: the newcomer makes an offer to each.
    package var participants: [LobbyParticipant]
    package var iceServers: [LobbyICEServer]

    package init(
        room: String, participant: LobbyParticipant, canPublishData: Bool, canKick: Bool, maximumParticipants: Int,
        participants: [LobbyParticipant], iceServers: [LobbyICEServer]
    ) {
        self.room = room
        self.participant = participant
        self.canPublishData = canPublishData
        self.canKick = canKick
        self.maximumParticipants = maximumParticipants
        self.participants = participants
        self.iceServers = iceServers
    }

    init(_ fields: MessageFields) throws(LobbyMessageError) {
        room = try fields.roomName()
        participant = try LobbyParticipant(fields.requiredObject("participant"))
        canPublishData = try fields.flag("canPublishData") ?? true
        canKick = try fields.flag("canKick") ?? false
        maximumParticipants = Int(try fields.integer("maximumParticipants") ?? Int64(LobbyLimits.participantsPerRoom))
        participants = []
        for other in try fields.objects("participants", maximumCount: 1000) {
            participants.append(try LobbyParticipant(other))
        }
        iceServers = []
        for server in try fields.objects("iceServers", maximumCount: 16) {
            iceServers.append(try LobbyICEServer(server))
        }
    }

    var members: [String: JSONValue] {
        [
            "protocol": .integer(LobbyLimits.protocolVersion), "room": .string(room), "participant": participant.json,
            "canPublishData": .bool(canPublishData), "canKick": .bool(canKick),
            "maximumParticipants": .integer(Int64(maximumParticipants)),
            "participants": .array(participants.map(\.json)), "iceServers": .array(iceServers.map(\.json)),
        ]
    }
}
