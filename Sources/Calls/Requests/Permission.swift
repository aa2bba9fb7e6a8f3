/// Which other participants may do something; each includes the ones before it.
package enum Permission: String, CaseIterable, Hashable, Sendable {
    case nobody
    /// The other side of an answered call.
    case partner
    case hosts
    case everybody

    package func allows(_ role: Participant.Role, isPartner: Bool) -> Bool {
        switch self {
        case .nobody: false
        case .partner: isPartner
        case .hosts: isPartner || role == .host
        case .everybody: true
        }
    }
}
