/// Decides by a request's `Host` and `Origin` whether a web page of somebody else is behind it.
///
/// A page elsewhere can make a browser on this machine talk to a loopback address, and by DNS rebinding even under its
/// own name. So: an `Origin` must be the very host that was asked for, and a server for this machine only answers to this
/// machine's own names.
enum HostCheck {
    static func allows(host: String?, origin: String?, isLoopbackOnly: Bool) -> Bool {
        guard let host, isPlausible(host) else { return false }
        if isLoopbackOnly && !isLoopbackName(name(of: host)) { return false }
        guard let origin else { return true }
        guard let range = origin.firstRange(of: "://") else { return false }
        let scheme = origin[..<range.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return false }
        return origin[range.upperBound...].lowercased() == host.lowercased()
    }

    private static func isPlausible(_ host: String) -> Bool {
        (1...255).contains(host.utf8.count)
            && host.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"),
                    UInt8(ascii: "_"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// Without the port.
    private static func name(of host: String) -> Substring {
        if host.first == "[" { return host.prefix { $0 != "]" }.dropFirst() }
        return host.prefix { $0 != ":" }
    }

    private static func isLoopbackName(_ name: Substring) -> Bool {
        let name = name.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") || name == "::1" { return true }
        return name.hasPrefix("127.") && name.isIPAddress
    }
}
