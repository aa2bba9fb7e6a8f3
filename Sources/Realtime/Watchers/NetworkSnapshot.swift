import CLinuxShims
import Glibc

/// The links that are up, their addresses, and the default routes, at one moment.
struct NetworkSnapshot: Sendable, Equatable {
    struct Entry: Sendable, Hashable {
        var interface: Int32
        var name: String
        /// As people write it; a route's is its gateway's, or all zeros.
        var address: String
    }

    var links: Set<Entry> = []
    var addresses: Set<Entry> = []
    var routes: Set<Entry> = []

    /// More than a board has; what is beyond is not watched.
    private static let capacity = 256

    /// - Thread: any that may block for some milliseconds.
    static func read() throws(SystemError) -> NetworkSnapshot {
        var entries = [ccb_network_entry](repeating: ccb_network_entry(), count: capacity)
        let count = ccb_network_read(&entries, Int32(capacity))
        guard count >= 0 else { throw SystemError(code: -count, operation: "list the network's links and addresses") }
        var snapshot = NetworkSnapshot()
        for entry in entries.prefix(Int(count)) {
            let made = Entry(
                interface: entry.interface, name: text(of: entry.name), address: address(of: entry))
            switch entry.kind {
            case CCB_NETWORK_LINK: snapshot.links.insert(made)
            case CCB_NETWORK_ADDRESS: snapshot.addresses.insert(made)
            default: snapshot.routes.insert(made)
            }
        }
        return snapshot
    }

    /// Whether a link that is up has an address.
    var isOnline: Bool {
        addresses.contains { address in links.contains { $0.interface == address.interface } }
    }

    /// What has changed since an earlier snapshot: what went first, then what came, in a steady order.
    func changes(since earlier: NetworkSnapshot) -> [NetworkChange] {
        let went =
            sorted(earlier.addresses.subtracting(addresses)).map {
                NetworkChange.addressRemoved($0.address, interface: $0.name)
            }
            + sorted(earlier.links.subtracting(links)).map { NetworkChange.linkDown(interface: $0.name) }
        let came =
            sorted(links.subtracting(earlier.links)).map { NetworkChange.linkUp(interface: $0.name) }
            + sorted(addresses.subtracting(earlier.addresses)).map {
                NetworkChange.addressAdded($0.address, interface: $0.name)
            }
        var routed: [NetworkChange] = []
        for route in sorted(routes.symmetricDifference(earlier.routes)) {
            let change = NetworkChange.routeChanged(interface: route.name)
            if !routed.contains(change) { routed.append(change) }
        }
        let changes = went + came + routed
        return changes.isEmpty || isOnline ? changes : changes + [.offline]
    }

    private func sorted(_ entries: Set<Entry>) -> [Entry] {
        entries.sorted { ($0.name, $0.address) < ($1.name, $1.address) }
    }

    private static func address(of entry: ccb_network_entry) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = entry.is_ipv6 != 0 ? AF_INET6 : AF_INET
        return withUnsafeBytes(of: entry.address) { bytes in
            guard inet_ntop(family, bytes.baseAddress, &text, socklen_t(text.count)) != nil else { return "" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        }
    }

    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
