/// Says whether one remote stream is played, from whether it is wanted and whether its media arrives. Pure.
///
/// Making the media arrive again is the connection's business; the player recovers when it does.
package struct PlayerSession: Sendable {
    package enum Output: Sendable, Equatable {
        /// With the error that caused it, if an error did.
        case stateChanged(PlayerState, RoomReason?)
    }

    package private(set) var phase = PlayerPhase.idle
    /// Why it is requesting again or still; nil when nothing went wrong.
    package private(set) var reason: RoomReason?
    private var outputs: [Output] = []

    package init() {}

    package var state: PlayerState { phase.state }

    /// The stream is there and to be played.
    package mutating func want() { take(.want, nil) }

    /// The stream is gone, or not to be played now.
    package mutating func unwant() { take(.unwant, nil) }

    package mutating func mediaArrives() { take(.mediaArrives, nil) }

    package mutating func mediaStopped(_ cause: RoomReason) { take(.mediaStopped, cause) }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private mutating func take(_ input: PlayerInput, _ cause: RoomReason?) {
        guard let next = PlayerTable.next(after: input, in: phase) else { return }
        let isNews = next.state != phase.state || next.state == .requesting && cause != reason
        phase = next
        reason = next.state == .requesting ? cause : nil
        if isNews { outputs.append(.stateChanged(next.state, reason)) }
    }
}
