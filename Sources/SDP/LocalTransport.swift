/// What this endpoint says about its own transport: its ICE credentials and the hash of its DTLS certificate.
package struct LocalTransport: Hashable, Sendable {
    package var credentials: ICECredentials
    package var fingerprint: Fingerprint

    /// - Parameter fingerprint: the SHA-256 of the certificate as `AA:BB:…`.
    /// - Errors: nil when ICE would not allow the credentials or the fingerprint has another form.
    package init?(ufrag: String, pwd: String, fingerprint: String) {
        let credentials = ICECredentials(ufrag: ufrag, pwd: pwd)
        guard credentials.isValid, let fingerprint = Fingerprint(algorithm: .sha256, value: fingerprint) else {
            return nil
        }
        self.credentials = credentials
        self.fingerprint = fingerprint
    }
}
