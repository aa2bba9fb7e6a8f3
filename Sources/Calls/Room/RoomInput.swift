/// Everything that may happen to a `RoomSession`, as far as its table tells it apart.
///
/// Answers to an attempt that is not the running one do not get here.
package enum RoomInput: Sendable, Hashable, CaseIterable {
    /// What a failure means for the next attempt: the classes of `RoomReason`, put together.
    package enum Failure: String, Sendable, Hashable, CaseIterable {
        case curable
        case incurable
        /// Kicked, or joined elsewhere.
        case removed

        package init(_ kind: RoomReason.Class) {
            switch kind {
            case .requested, .transient, .clockNotSet: self = .curable
            case .incurable: self = .incurable
            case .kicked, .joinedElsewhere: self = .removed
            }
        }
    }

    case join
    case leave
    case joined
    case joinFailed(Failure)
    case disconnected(Failure)
    case left
    case leaveFailed
    case networkChanged
    case retryNow
    case timeCame

    package static var allCases: [RoomInput] {
        [.join, .leave, .joined] + Failure.allCases.map(RoomInput.joinFailed)
            + Failure.allCases.map(RoomInput.disconnected) + [
                .left, .leaveFailed, .networkChanged, .retryNow, .timeCame,
            ]
    }

    /// For tables.
    package var text: String {
        switch self {
        case .join: "join"
        case .leave: "leave"
        case .joined: "joined"
        case .joinFailed(let failure): "join failed (\(failure.rawValue))"
        case .disconnected(let failure): "disconnected (\(failure.rawValue))"
        case .left: "left"
        case .leaveFailed: "leave failed"
        case .networkChanged: "network changed"
        case .retryNow: "retry now"
        case .timeCame: "time came"
        }
    }
}
