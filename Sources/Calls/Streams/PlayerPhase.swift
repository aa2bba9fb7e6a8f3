/// Every condition of a `PlayerSession`.
package enum PlayerPhase: String, Sendable, Hashable, CaseIterable {
    case idle
    case idleArriving
    case requesting
    case playing

    package var state: PlayerState {
        switch self {
        case .idle, .idleArriving: .idle
        case .requesting: .requesting
        case .playing: .playing
        }
    }

    /// For tables.
    package var text: String { self == .idleArriving ? "idle, media arrives" : rawValue }
}
