/// Something of the machine's network that is different now. The loopback is no network.
package enum NetworkChange: Sendable, Hashable, CustomStringConvertible {
    case linkUp(interface: String)
    case linkDown(interface: String)
    case addressAdded(String, interface: String)
    case addressRemoved(String, interface: String)
    /// A default route came, went, or has another gateway.
    case routeChanged(interface: String)
    /// Last, after the others: no link with an address is left, or none yet.
    case offline

    package var description: String {
        switch self {
        case .linkUp(let interface): "\(interface) is up"
        case .linkDown(let interface): "\(interface) is down"
        case .addressAdded(let address, let interface): "\(interface) has address \(address)"
        case .addressRemoved(let address, let interface): "\(interface) lost address \(address)"
        case .routeChanged(let interface): "the default route by \(interface) changed"
        case .offline: "there is no network"
        }
    }
}
