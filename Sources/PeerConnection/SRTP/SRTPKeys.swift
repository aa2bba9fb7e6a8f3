import SDP

/// The master keys of both directions, as the DTLS handshake gave them. Never logged.
struct SRTPKeys {
    let profile: SRTPProfile
    /// Key and salt, one after the other, as libsrtp takes them.
    let local: [UInt8]
    let remote: [UInt8]

    /// - Parameter material: client key, server key, client salt, server salt (RFC 5764 §4.2).
    init(profile: SRTPProfile, material: [UInt8], role: DTLSRole) {
        let key = profile.keyByteCount
        let salt = profile.saltByteCount
        precondition(material.count == 2 * (key + salt), "the exporter gives both keys and both salts")
        let client = Array(material[..<key] + material[(2 * key)..<(2 * key + salt)])
        let server = Array(material[key..<(2 * key)] + material[(2 * key + salt)...])
        self.profile = profile
        local = role == .client ? client : server
        remote = role == .client ? server : client
    }
}
