import Calls
import JSONText

/// What a room service tells of the room that is joined, in the order in which it happened.
package enum RoomEvent: Sendable, Equatable {
    case participantJoined(Participant)
    case participantLeft(ParticipantID, reason: String)
    case streamAdded(RemoteStream)
    case streamRemoved(StreamID)
    case streamChanged(RemoteStream)
    case messageReceived(from: ParticipantID, JSONValue)
    /// A media connection is to be made. `isPolite`: gives way when both sides offer at once.
    case connectionWanted(ConnectionID, isPolite: Bool, startsOffer: Bool)
    case signal(ConnectionID, ConnectionSignal)
    case connectionClosed(ConnectionID)
    /// Removed from the room, or the same participant joined elsewhere; nothing follows.
    case kickedOut(reason: String)
    /// The room is lost; nothing follows until the next join.
    case disconnected(RoomError)
}
