/// What the far side says about the one transport that carries everything (BUNDLE, RFC 9143).
package struct RemoteTransport: Equatable, Sendable {
    package var credentials: ICECredentials
    /// At least one; SHA-256 first where the far side gives it. The certificate must match the first.
    package var fingerprints: [Fingerprint]
    /// Names the far side's DTLS association; nil where it tells none.
    package var tlsID: String?
    /// The part this endpoint plays in the DTLS handshake; nil while our first offer is unanswered.
    package var localRole: DTLSRole?
    /// The candidates inside the description; with trickle ICE more come by signalling.
    package var candidates: [ICECandidate]
    package var hasEndOfCandidates: Bool
    /// The far side only answers checks, so this endpoint is the controlling one whoever offered.
    package var isICELite: Bool
    package var supportsTrickle: Bool
    /// Nil when data channels were not agreed.
    package var sctpPort: UInt16?
    /// The largest data channel message the far side takes, in bytes; `Int.max` when it has no limit.
    package var maxMessageSize: Int
    /// 0 at first; one more each time the far side's ICE credentials change.
    package var generation: Int

    /// Whether a later description that says this is of another DTLS association: of a far side that began anew.
    func isOtherAssociation(fingerprints: [Fingerprint], tlsID: String?) -> Bool {
        if self.fingerprints.first != fingerprints.first { return true }
        guard let before = self.tlsID, let tlsID else { return false }
        return before != tlsID
    }

    package var ufrag: String { credentials.ufrag }
    package var pwd: String { credentials.pwd }
}
