/// The addresses by which others reach this machine.
package enum OwnAddresses {
    /// Of links that are up; IPv4 first, none that is only valid on its link. Empty without a network.
    /// - Thread: any that may block for some milliseconds.
    package static func current() -> [String] {
        let snapshot: NetworkSnapshot
        do throws(SystemError) {
            snapshot = try NetworkSnapshot.read()
        } catch {
            return []
        }
        let up = Set(snapshot.links.map(\.interface))
        return sorted(snapshot.addresses.filter { up.contains($0.interface) }.map(\.address))
    }

    static func sorted(_ addresses: [String]) -> [String] {
        let far = Set(addresses).filter { address in
            !["127.", "169.254.", "fe80:"].contains { address.hasPrefix($0) } && address != "::1"
        }
        return far.filter { !$0.contains(":") }.sorted() + far.filter { $0.contains(":") }.sorted()
    }
}
