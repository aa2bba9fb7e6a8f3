import MediaTransport

/// A snapshot of what a peer connection did; making it allocates.
package struct PeerConnectionStatistics: Sendable {
    package var state: PeerConnectionState
    package var media: MediaStatistics
    /// The selected path as "host/prflx udp"; empty before there is one. Holds no address.
    package var path: String
    /// The SRTP profile in use; nil before the handshake is done.
    package var profile: SRTPProfile?
    /// Packets whose tag was wrong, and packets that came twice.
    package var authenticationFailures: Int
    package var replays: Int
    /// Packets that ICE could not send: no path, or the socket was full.
    package var unsentPackets: Int64
    /// Datagrams that are neither STUN, DTLS, RTP nor RTCP, or came when nothing could take them.
    package var strayDatagrams: Int64
    /// Descriptions and candidates of the far side that were refused.
    package var refusedSignals: Int64
}
