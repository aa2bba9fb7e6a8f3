/// RFC 4648 §5 without padding, as JWTs use it.
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count * 4 + 2) / 3)
        var pending: UInt32 = 0
        var pendingBits = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            pendingBits += 8
            while pendingBits >= 6 {
                pendingBits -= 6
                out.append(alphabet[Int(pending >> UInt32(pendingBits)) & 63])
            }
        }
        if pendingBits > 0 { out.append(alphabet[Int(pending << UInt32(6 - pendingBits)) & 63]) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil for anything but one exact encoding: no padding, no other characters, no bits left over.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(text.count * 3 / 4)
        var pending: UInt32 = 0
        var pendingBits = 0
        for character in text {
            guard let value = value(of: character) else { return nil }
            pending = (pending << 6 | value) & 0xFFFF
            pendingBits += 6
            if pendingBits >= 8 {
                pendingBits -= 8
                out.append(UInt8(truncatingIfNeeded: pending >> UInt32(pendingBits)))
            }
        }
        guard pending & (1 << UInt32(pendingBits) - 1) == 0 else { return nil }
        return out
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
