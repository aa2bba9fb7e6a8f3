import Calls
import JSONText

/// What a room service tells of the room that is joined, in the order in which it happened.
package enum RoomEvent: Sendable, Equatable {
    case participantJoined(Participant)
    /// Its role is another: told of others only; for oneself `change(role:)` returns.
    case participantChanged(Participant)
    /// Its streams have been removed before. When `reason.isLost`, its media connection is not closed: whoever is cut
    /// off from the room service may still be heard, and whose place was taken is most often back in the same moment.
    case participantLeft(ParticipantID, reason: ParticipantLeaveReason)
    case streamAdded(RemoteStream)
    case streamRemoved(StreamID)
    case streamChanged(RemoteStream)
    case messageReceived(from: ParticipantID, JSONValue)
    /// A media connection is to be made, since one of the two publishes and the other may play it. `isPolite`: gives way
    /// when both sides offer at once. One of the same id that still lives may be kept.
    case connectionWanted(ConnectionID, isPolite: Bool, startsOffer: Bool)
    case signal(ConnectionID, ConnectionSignal)
    /// The other side is gone for good, or neither may play the other any more.
    case connectionClosed(ConnectionID)
    /// Removed from the room (`kicked`), or the same participant joined elsewhere (`joinedElsewhere`); nothing follows
    /// until the next join.
    case kickedOut(RoomReason)
    /// The room is lost; nothing follows until the next join.
    case disconnected(RoomError)
}
