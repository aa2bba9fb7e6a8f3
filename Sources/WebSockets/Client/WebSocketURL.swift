/// A WebSocket address: `ws://host:port/path` or `wss://…`.
package struct WebSocketURL: Sendable, Equatable, CustomStringConvertible {
    package var isSecure: Bool
    /// A name or an address, IPv6 without brackets.
    package var host: String
    package var port: UInt16
    /// With its query; at least "/".
    package var path: String

    /// - Parameter defaultPath: used when the text has none.
    package init(_ text: String, defaultPath: String = "/") throws(WebSocketError) {
        guard let range = text.firstRange(of: "://") else { throw .badURL("it begins with ws:// or wss://") }
        switch text[..<range.lowerBound].lowercased() {
        case "ws", "http": isSecure = false
        case "wss", "https": isSecure = true
        default: throw .badURL("it begins with ws:// or wss://")
        }
        let rest = text[range.upperBound...]
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), rest.utf8.count <= 1024 else {
            throw .badURL("it has only printable ASCII characters, 1024 at most")
        }
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<authorityEnd]
        guard !authority.contains("@") else { throw .badURL("user and password do not belong into it") }
        let pathText = rest[authorityEnd...].prefix { $0 != "#" }
        path = pathText.isEmpty ? defaultPath : pathText.first == "/" ? String(pathText) : "/" + pathText

        var portText: Substring?
        if authority.first == "[" {
            guard let close = authority.firstIndex(of: "]") else { throw .badURL("an IPv6 address ends with ]") }
            host = String(authority[authority.index(after: authority.startIndex)..<close])
            let after = authority[authority.index(after: close)...]
            if after.first == ":" { portText = after.dropFirst() } else if !after.isEmpty { throw .badURL("host") }
        } else if let colon = authority.firstIndex(of: ":") {
            host = String(authority[..<colon])
            portText = authority[authority.index(after: colon)...]
        } else {
            host = String(authority)
        }
        guard !host.isEmpty, host.utf8.count <= 253 else { throw .badURL("the host is missing or too long") }
        if let portText {
            guard let number = UInt16(portText), number > 0 else { throw .badURL("a port is 1–65535") }
            port = number
        } else {
            port = isSecure ? 443 : 80
        }
    }

    /// For the Host header: IPv6 in brackets, the port unless it is the usual one.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }
}
