/// What this endpoint says about its own transport: its ICE credentials and the hash of its DTLS certificate.
package struct LocalTransport: Hashable, Sendable {
    package var credentials: ICECredentials
    package var fingerprint: Fingerprint
    /// Names the DTLS association (RFC 8842); nil: not told.
    package var tlsID: String?

    /// - Parameters:
    ///   - fingerprint: the SHA-256 of the certificate as `AA:BB:…`.
    ///   - tlsID: another one for each connection; see ``isTLSID(_:)``.
    /// - Errors: nil when ICE would not allow the credentials or the fingerprint has another form.
    package init?(ufrag: String, pwd: String, fingerprint: String, tlsID: String? = nil) {
        let credentials = ICECredentials(ufrag: ufrag, pwd: pwd)
        guard credentials.isValid, let fingerprint = Fingerprint(algorithm: .sha256, value: fingerprint) else {
            return nil
        }
        precondition(tlsID.map(LocalTransport.isTLSID) ?? true, "a tls-id of our own is always well formed")
        self.credentials = credentials
        self.fingerprint = fingerprint
        self.tlsID = tlsID
    }

    /// Whether `text` has the form of a tls-id: 20 to 255 letters, digits and `+/-_` (RFC 8842 §4).
    package static func isTLSID(_ text: String) -> Bool {
        guard (20...255).contains(text.utf8.count) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
