import Calls

/// Which room to join, and as whom.
package struct JoinRequest: Sendable {
    package var room: String
    package var participant: Participant
    /// A secret: never logged.
    package var token: String?

    package init(room: String, participant: Participant, token: String?) {
        self.room = room
        self.participant = participant
        self.token = token
    }
}

/// The answer to a join.
package struct JoinedRoom: Sendable, Equatable {
    package var room: String
    /// With the id and name that count: the token's, if there is one.
    package var participant: Participant

    package init(room: String, participant: Participant) {
        self.room = room
        self.participant = participant
    }
}
