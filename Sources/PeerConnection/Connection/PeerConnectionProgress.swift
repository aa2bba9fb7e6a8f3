import MediaTransport

/// Whether a connection lives, as counts that only grow.
package struct PeerConnectionProgress: Sendable, Equatable, BitwiseCopyable {
    /// Authentic RTP and RTCP packets of the far side. Checks of ICE, which libnice keeps for itself, do not count.
    package var heard: Int64
    package var media: MediaProgress
}
