/// Names a participant; unique in its room.
package typealias ParticipantID = String
/// Names a stream; unique in the room service.
package typealias StreamID = String
/// Names a media connection that the room service asks for; in a mesh it is the other participant's id.
package typealias ConnectionID = String

/// One user in a room.
package struct Participant: Sendable, Hashable {
    /// Publishes and plays, or only plays.
    package enum Role: String, Sendable, Hashable {
        case host
        case audience
    }

    package var id: ParticipantID
    /// For people; may be empty.
    package var name: String
    package var role: Role

    package init(id: ParticipantID, name: String, role: Role = .host) {
        self.id = id
        self.name = name
        self.role = role
    }
}
