import Calls

/// Which room to join, and as whom.
package struct JoinRequest: Sendable {
    package var room: String
    package var participant: Participant
    /// False: fail with `joinedElsewhere` rather than take the place of a participant with the same id.
    package var mayReplace: Bool
    /// A secret: never logged.
    package var token: String?

    package init(room: String, participant: Participant, mayReplace: Bool = true, token: String?) {
        self.room = room
        self.participant = participant
        self.mayReplace = mayReplace
        self.token = token
    }
}

/// The answer to a join.
package struct JoinedRoom: Sendable, Equatable {
    package var room: String
    /// With the id and name that count: the token's, if there is one.
    package var participant: Participant
    /// Everybody else who is there already; each is also told of by `participantJoined`.
    package var participants: [Participant]
    /// STUN and TURN servers that the service recommends.
    package var iceServers: [RoomICEServer]

    package init(
        room: String, participant: Participant, participants: [Participant] = [], iceServers: [RoomICEServer] = []
    ) {
        self.room = room
        self.participant = participant
        self.participants = participants
        self.iceServers = iceServers
    }
}
