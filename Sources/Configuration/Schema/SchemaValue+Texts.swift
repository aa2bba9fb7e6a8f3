import Glibc

extension SchemaValue where Value == String {
    /// Text that `isValid` accepts; `allowed` says in words what that is.
    static func text(
        _ allowed: String, isShown: Bool = true, suggest: @escaping @Sendable (String) -> String? = { _ in nil },
        isValid: @escaping @Sendable (String) -> Bool
    ) -> SchemaValue {
        SchemaValue(
            allowed: allowed,
            read: { node, place, problems in
                guard let text = anyText(node, place, allowed, &problems) else { return nil }
                guard isValid(text) else {
                    problems.report(
                        node.position, key: place.key, isShown ? "\(quoted(text)) cannot be used" : "it cannot be used",
                        allowed: allowed, suggestion: suggest(text))
                    return nil
                }
                return text
            },
            spell: { isShown ? $0 : nil })
    }

    /// A name for people or of a room.
    static let displayName = text("a text of 1 to 64 characters") { text in
        (1...64).contains(text.count) && text.utf8.count <= 256 && !hasControlCharacters(text)
    }

    /// A participant's id: the form that every room service takes.
    static let identifier = text("1 to 64 letters, digits and punctuation of ASCII, no space") { text in
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// The name of a device, as `callbox devices` lists them; the devices judge it further.
    static let device = text("a device as `callbox devices` lists them") { text in
        (1...512).contains(text.utf8.count) && !hasControlCharacters(text)
    }

    /// A file; a relative path starts at the folder of the configuration file.
    static func path(_ allowed: String, maximumBytes: Int = 4_095) -> SchemaValue {
        let isValid: @Sendable (String) -> Bool = { text in
            (1...maximumBytes).contains(text.utf8.count) && !hasControlCharacters(text)
        }
        let plain = text(allowed, isValid: isValid)
        return SchemaValue(
            allowed: allowed,
            read: { node, place, problems in
                guard let path = plain.read(node, place, &problems) else { return nil }
                guard !path.hasPrefix("/"), !place.directory.isEmpty else { return path }
                let whole = place.directory.hasSuffix("/") ? place.directory + path : "\(place.directory)/\(path)"
                guard isValid(whole) else {
                    problems.report(node.position, key: place.key, "\(quoted(whole)) is too long", allowed: allowed)
                    return nil
                }
                return whole
            },
            spell: { $0 })
    }

    /// An address of this machine to listen on.
    static let address = text("an IPv4 or IPv6 address", suggest: { $0 == "localhost" ? "127.0.0.1" : nil }) { text in
        var storage = in6_addr()
        return inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1
    }

    /// A WebSocket's URL. A wrong one is not repeated: it may hold a password.
    static let webSocketURL = text(
        "ws://HOST:PORT/PATH or wss://HOST:PORT/PATH", isShown: false,
        suggest: { text in
            text.hasPrefix("http://") ? "ws://…" : text.hasPrefix("https://") ? "wss://…" : nil
        },
        isValid: { URLText($0, schemes: ["ws", "wss"]) != nil })

    /// A STUN or TURN server's URL. A wrong one is not repeated: it may hold a password.
    static let iceURL = text(
        "stun:HOST:PORT, turn:HOST:PORT or turn:HOST:PORT?transport=tcp", isShown: false,
        suggest: { text in
            text.hasPrefix("stuns:") ? "stun:…" : text.hasPrefix("turns:") ? "turn:…?transport=tcp" : nil
        },
        isValid: { ICEServerURL($0) != nil })

    /// SHA-256 of a certificate.
    static let fingerprint = text("32 bytes of SHA-256 as AB:CD:…") { text in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 32
            && parts.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }
}
