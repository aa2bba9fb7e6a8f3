/// A STUN or TURN server's URL taken apart (RFC 7064, RFC 7065).
package struct ICEServerURL: Hashable, Sendable {
    /// What the server is asked for.
    package enum Kind: Hashable, Sendable {
        case stun
        case turnOverUDP
        case turnOverTCP
    }

    package let kind: Kind
    /// Name or address, without brackets.
    package let host: String
    package let port: Int

    /// Nil where the text is no `stun:` or `turn:` URL; TLS to the server is not available.
    package init?(_ text: String) {
        guard text.utf8.count <= 512, let colon = text.firstIndex(of: ":") else { return nil }
        let rest = text[text.index(after: colon)...]
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let authority = HostAndPort(parts[0]) else { return nil }
        switch (text[..<colon], parts.count == 2 ? parts[1] : nil) {
        case ("stun", nil): kind = .stun
        case ("turn", nil), ("turn", "transport=udp"): kind = .turnOverUDP
        case ("turn", "transport=tcp"): kind = .turnOverTCP
        default: return nil
        }
        host = authority.host
        port = authority.port ?? 3_478
    }
}
