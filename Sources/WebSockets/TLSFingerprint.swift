/// SHA-256 fingerprints as text: 32 pairs of hexadecimal digits with colons between.
package enum TLSFingerprint {
    package static func text(of digest: [UInt8]) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
    }

    /// The 32 bytes; nil for anything else. Colons may be missing, letters may be small.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = text.filter { $0 != ":" }
        guard digits.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(digits)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16), rest.first != "+" else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
