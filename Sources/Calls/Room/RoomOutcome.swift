/// What one input does in one phase.
package enum RoomOutcome: Sendable, Hashable {
    /// A request that the state does not allow.
    case refused(RoomSessionError)
    case ignored
    case change(RoomPhase, [RoomEffect])
}
