/// The hash of a DTLS certificate, by which the far side's certificate is recognised (RFC 8122).
package struct Fingerprint: Hashable, Sendable {
    /// The hash functions that are strong enough; others are ignored, as RFC 8122 §5 asks.
    package enum Algorithm: String, CaseIterable, Sendable {
        case sha256 = "sha-256"
        case sha384 = "sha-384"
        case sha512 = "sha-512"

        package var byteCount: Int {
            switch self {
            case .sha256: 32
            case .sha384: 48
            case .sha512: 64
            }
        }
    }

    package var algorithm: Algorithm
    /// Upper-case hexadecimal pairs joined by colons.
    package var value: String

    /// Checks that `value` has the form and the length of the algorithm.
    package init?(algorithm: Algorithm, value: some StringProtocol) {
        var text: [UInt8] = []
        for (position, byte) in value.utf8.enumerated() {
            if position % 3 == 2 {
                guard byte == UInt8(ascii: ":") else { return nil }
                text.append(byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"): text.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): text.append(byte - 32)
            default: return nil
            }
        }
        guard text.count == algorithm.byteCount * 3 - 1 else { return nil }
        self.algorithm = algorithm
        self.value = String(decoding: text, as: UTF8.self)
    }

    /// Parses the value of an `a=fingerprint` attribute, `sha-256 AA:BB:…`.
    package init?(attribute: some StringProtocol) {
        let words = attribute.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, let algorithm = Algorithm(rawValue: words[0].lowercased()) else { return nil }
        self.init(algorithm: algorithm, value: words[1])
    }

    package var attribute: String { "\(algorithm.rawValue) \(value)" }
}
