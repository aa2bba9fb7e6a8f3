/// `host`, `host:port` or `[IPv6]:port`.
struct HostAndPort {
    let host: String
    let port: Int?

    init?(_ text: Substring) {
        let end: Substring.Index
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]") else { return nil }
            end = text.index(after: close)
            let inner = text[..<end].dropFirst().dropLast()
            guard inner.contains(":"), inner.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
            host = String(inner)
        } else {
            end = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<end])
            guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(HostAndPort.isHostByte) else { return nil }
        }
        guard end < text.endIndex else {
            port = nil
            return
        }
        let digits = text[end...].dropFirst()
        guard text[end] == ":", (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
            (1...65_535).contains(number)
        else { return nil }
        port = number
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39,
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
