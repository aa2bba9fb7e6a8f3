/// One transport address at which a side can perhaps be reached: the `candidate` attribute (RFC 8839 §5.1).
package struct ICECandidate: Hashable, Sendable {
    package enum Transport: String, Sendable {
        case udp
        case tcp
    }

    package enum Kind: String, Sendable {
        case host
        case serverReflexive = "srflx"
        case peerReflexive = "prflx"
        case relay
    }

    package var foundation: String
    /// 1 for RTP (and everything multiplexed with it), 2 for a separate RTCP.
    package var component: Int
    package var transport: Transport
    package var priority: UInt32
    /// An IPv4 or IPv6 address or a name (`….local` of a browser that hides its addresses).
    package var address: String
    package var port: UInt16
    package var kind: Kind
    package var relatedAddress: String?
    package var relatedPort: UInt16?
    /// `active`, `passive` or `so` for TCP candidates (RFC 6544).
    package var tcpType: String?
    /// The ufrag of the ICE generation that the candidate belongs to, where the far side says so.
    package var usernameFragment: String?

    package init(
        foundation: String, component: Int = 1, transport: Transport = .udp, priority: UInt32, address: String,
        port: UInt16, kind: Kind, relatedAddress: String? = nil, relatedPort: UInt16? = nil, tcpType: String? = nil,
        usernameFragment: String? = nil
    ) {
        self.foundation = foundation
        self.component = component
        self.transport = transport
        self.priority = priority
        self.address = address
        self.port = port
        self.kind = kind
        self.relatedAddress = relatedAddress
        self.relatedPort = relatedPort
        self.tcpType = tcpType
        self.usernameFragment = usernameFragment
    }

    /// Whether the address is a multicast-DNS name instead of an address.
    package var isMulticastDNSName: Bool { address.utf8.count > 6 && address.lowercased().hasSuffix(".local") }

    /// Parses a candidate with or without `a=` and `candidate:` in front; nil for anything else, also for an empty
    /// text, which browsers send as "no more candidates". Unknown extension attributes are skipped.
    package init?(parsing text: some StringProtocol) {
        guard text.utf8.count <= 1_024 else { return nil }
        var line = Substring(text)
        while let last = line.utf8.last, last == 13 || last == 10 { line = Substring(line.unicodeScalars.dropLast()) }
        if line.hasPrefix("a=") { line = line.dropFirst(2) }
        if line.hasPrefix("candidate:") { line = line.dropFirst(10) }
        let words = AttributeText.words(line, limit: 64)
        guard words.count >= 8, words[6].lowercased() == "typ" else { return nil }
        guard AttributeText.isPlainWord(words[0], maximumBytes: 32),
            let component = Int(words[1]), (1...256).contains(component),
            let transport = Transport(rawValue: words[2].lowercased()),
            let priority = UInt32(words[3]),
            AttributeText.isPlainWord(words[4], maximumBytes: 255),
            let port = UInt16(words[5]),
            let kind = Kind(rawValue: words[7].lowercased())
        else { return nil }
        self.init(
            foundation: words[0], component: component, transport: transport, priority: priority, address: words[4],
            port: port, kind: kind)
        var position = 8
        while position + 1 < words.count {
            let value = words[position + 1]
            switch words[position].lowercased() {
            case "raddr" where AttributeText.isPlainWord(value, maximumBytes: 255): relatedAddress = value
            case "rport": relatedPort = UInt16(value)
            case "tcptype" where ["active", "passive", "so"].contains(value.lowercased()):
                tcpType = value.lowercased()
            case "ufrag" where AttributeText.isPlainWord(value, maximumBytes: 256): usernameFragment = value
            default: break
            }
            position += 2
        }
    }

    /// The text of signalling messages, starting with `candidate:`.
    package var text: String {
        var text =
            "candidate:\(foundation) \(component) \(transport.rawValue) \(priority) \(address) \(port) typ \(kind.rawValue)"
        if let relatedAddress { text += " raddr \(relatedAddress)" }
        if let relatedPort { text += " rport \(relatedPort)" }
        if let tcpType { text += " tcptype \(tcpType)" }
        if let usernameFragment { text += " ufrag \(usernameFragment)" }
        return text
    }
}
