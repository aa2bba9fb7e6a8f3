/// Every condition of a `PublisherSession`.
package enum PublisherPhase: String, Sendable, Hashable, CaseIterable {
    case idleOutside
    case idleInside
    case requestingOutside
    case requestingAsking
    case requestingWaiting
    case publishing

    package var state: PublisherState {
        switch self {
        case .idleOutside, .idleInside: .idle
        case .requestingOutside, .requestingAsking, .requestingWaiting: .requesting
        case .publishing: .publishing
        }
    }

    /// For tables.
    package var text: String {
        switch self {
        case .idleOutside: "idle, room not joined"
        case .idleInside: "idle, room joined"
        case .requestingOutside: "requesting, room not joined"
        case .requestingAsking: "requesting, asked"
        case .requestingWaiting: "requesting, waits"
        case .publishing: "publishing"
        }
    }
}
