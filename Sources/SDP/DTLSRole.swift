/// The part this endpoint plays in the DTLS handshake.
package enum DTLSRole: String, Hashable, Sendable {
    /// Sends the ClientHello.
    case client
    case server
}
