import Glibc

/// Which of the machine's addresses take part in ICE.
package struct InterfaceRules: Sendable, Hashable {
    /// Only these interfaces, by name; empty: all but the excluded.
    package var includedNames: [String]
    /// Interfaces whose name begins so are left out: bridges and the inner ends of containers.
    package var excludedPrefixes: [String]
    package var usesIPv6: Bool
    /// Exactly these addresses instead of what the machine shows; empty: look.
    package var fixedAddresses: [String]

    package init(
        includedNames: [String] = [], excludedPrefixes: [String] = ["docker", "br-", "veth", "virbr", "vnet", "lxc"],
        usesIPv6: Bool = true, fixedAddresses: [String] = []
    ) {
        self.includedNames = includedNames
        self.excludedPrefixes = excludedPrefixes
        self.usesIPv6 = usesIPv6
        self.fixedAddresses = fixedAddresses
    }

    /// The addresses to offer, in the order of the interfaces. Loopback only when there is nothing else.
    package func localAddresses() -> [String] {
        if !fixedAddresses.isEmpty { return fixedAddresses }
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return ["127.0.0.1"] }
        defer { freeifaddrs(first) }
        var addresses: [String] = []
        var loopback: [String] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let address = entry.ifa_addr,
                let text = InterfaceRules.text(of: address, usesIPv6: usesIPv6)
            else { continue }
            if entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0 {
                loopback.append(text)
            } else if admits(String(cString: entry.ifa_name)), !addresses.contains(text) {
                addresses.append(text)
            }
        }
        return addresses.isEmpty ? loopback : addresses
    }

    /// Whether these reach nobody but this machine.
    package static func areLoopback(_ addresses: [String]) -> Bool {
        addresses.allSatisfy { $0 == "::1" || $0.hasPrefix("127.") }
    }

    private func admits(_ name: String) -> Bool {
        if !includedNames.isEmpty { return includedNames.contains(name) }
        return !excludedPrefixes.contains { name.hasPrefix($0) }
    }

    /// nil for what ICE cannot use: other families, and link-local IPv6 (RFC 8421 §4 does without it).
    private static func text(of address: UnsafePointer<sockaddr>, usesIPv6: Bool) -> String? {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                var bytes = address.pointee.sin_addr
                return string(inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count)))
            }
        case AF_INET6 where usesIPv6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                var bytes = address.pointee.sin6_addr
                let isLinkLocal = withUnsafeBytes(of: &bytes) { $0[0] == 0xFE && $0[1] & 0xC0 == 0x80 }
                guard !isLinkLocal else { return nil }
                return string(inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)))
            }
        default: return nil
        }
    }

    private static func string(_ text: UnsafePointer<CChar>?) -> String? {
        text.map { String(cString: $0) }
    }
}
