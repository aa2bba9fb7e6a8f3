/// Which of the other participants something goes to or comes from.
package enum MediaPeers: Sendable, Hashable {
    case everybody
    case nobody
    case only(Set<String>)

    package func contains(_ participant: String) -> Bool {
        switch self {
        case .everybody: true
        case .nobody: false
        case .only(let participants): participants.contains(participant)
        }
    }
}
