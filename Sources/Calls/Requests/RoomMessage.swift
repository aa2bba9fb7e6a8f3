/// What participants of a room tell each other through the room service.
package enum RoomMessage: Hashable, Sendable {
    case call(CallMessage)
    case request(RoomRequest)
}
