import Glibc

/// Looks up a host's addresses with the system's resolver.
enum NameLookup {
    struct Address: Equatable {
        var text: String
        var isIPv6: Bool
    }

    /// - Thread: one that may block for as long as the resolver likes.
    static func addresses(of host: String) throws(WebSocketError) -> [Address] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        defer { if let list { freeaddrinfo(list) } }
        switch result {
        case 0: break
        case EAI_AGAIN, EAI_SYSTEM, EAI_FAIL, EAI_MEMORY: throw .nameServerUnreachable(host: host)
        default: throw .nameNotFound(host: host)
        }
        var addresses: [Address] = []
        var next = list
        while let entry = next?.pointee {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            {
                let end = text.firstIndex(of: 0) ?? text.endIndex
                let address = Address(
                    text: String(decoding: text[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self),
                    isIPv6: entry.ai_family == AF_INET6)
                if !addresses.contains(address) { addresses.append(address) }
            }
            next = entry.ai_next
        }
        guard !addresses.isEmpty else { throw .nameNotFound(host: host) }
        return addresses
    }
}
