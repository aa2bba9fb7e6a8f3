/// A STUN or TURN server, as the room service or the configuration names it.
package struct ICEServer: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case stun
        case relayUDP
        case relayTCP
    }

    package var kind: Kind
    /// Name or address; names are looked up off the loop.
    package var host: String
    package var port: Int
    package var user: String
    /// Secret: never logged.
    package var password: String

    package init(kind: Kind, host: String, port: Int = 3_478, user: String = "", password: String = "") {
        self.kind = kind
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Reads "stun:HOST[:PORT]" or "turn:HOST[:PORT][?transport=udp|tcp]" (RFC 7064, RFC 7065).
    ///
    /// nil for anything else, `turns:` among it: libnice has no TLS towards a relay.
    package init?(url: String, user: String = "", password: String = "") {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let isTCP: Bool
        switch parts.count > 1 ? parts[1] : "" {
        case "", "transport=udp": isTCP = false
        case "transport=tcp": isTCP = true
        default: return nil
        }
        guard let colon = parts[0].firstIndex(of: ":") else { return nil }
        let scheme = parts[0][..<colon].lowercased()
        guard let (host, port) = ICEServer.split(parts[0][parts[0].index(after: colon)...]) else { return nil }
        switch scheme {
        case "stun" where !isTCP: self.init(kind: .stun, host: host, port: port)
        case "turn":
            guard !user.isEmpty else { return nil }
            self.init(
                kind: isTCP ? .relayTCP : .relayUDP, host: host, port: port, user: user, password: password)
        default: return nil
        }
    }

    private static func split(_ text: Substring) -> (host: String, port: Int)? {
        var host = text
        var port = 3_478
        let end = text.lastIndex(of: ":")
        if text.first == "[" {
            // An IPv6 address in brackets.
            guard let bracket = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<bracket]
            let rest = text[text.index(after: bracket)...]
            if !rest.isEmpty {
                guard rest.first == ":", let number = Int(rest.dropFirst()) else { return nil }
                port = number
            }
        } else if let end {
            guard let number = Int(text[text.index(after: end)...]) else { return nil }
            host = text[..<end]
            port = number
        }
        guard !host.isEmpty, host.utf8.count <= 253, (1...65_535).contains(port) else { return nil }
        return (String(host), port)
    }
}
