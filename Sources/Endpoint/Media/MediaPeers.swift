import Calls

/// With whom media is exchanged.
package enum MediaPeers: Sendable, Equatable {
    case everybody
    case nobody
    case only(Set<ConnectionID>)

    func contains(_ id: ConnectionID) -> Bool {
        switch self {
        case .everybody: true
        case .nobody: false
        case .only(let ids): ids.contains(id)
        }
    }
}
