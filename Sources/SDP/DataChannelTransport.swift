/// The constants of the SCTP association that carries data channels (RFC 8841).
package enum DataChannelTransport {
    /// The SCTP port that every WebRTC stack uses.
    package static let port: UInt16 = 5_000
    /// The largest message we take, in bytes; what browsers announce.
    package static let maxMessageSize = 262_144
    /// What a far side takes that does not say (RFC 8841 §6.1).
    package static let defaultRemoteMaxMessageSize = 65_536
}
