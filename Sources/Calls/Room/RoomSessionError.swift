/// A request that the room session refuses because of its state (product.md, "rooms").
package enum RoomSessionError: Error, Sendable, Hashable {
    case operationInProgress
    case alreadyInRequestedState
    case notJoined
}
