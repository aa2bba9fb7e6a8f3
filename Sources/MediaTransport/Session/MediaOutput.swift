import MediaTypes

/// What a `MediaSession` wants done.
///
/// Pointers are valid until the next call of the session, `pollOutput` included. Packets to send have at least
/// `MediaSession.tailRoom` bytes of room behind `capacity − count`, so that SRTP works in place.
package enum MediaOutput {
    /// One RTP packet to protect and send; `capacity` counts from the start of the packet.
    case sendRTP(UnsafeMutableRawBufferPointer, capacity: Int)
    /// One compound or reduced-size RTCP packet to protect and send.
    case sendRTCP(UnsafeMutableRawBufferPointer, capacity: Int)
    case audio(line: Int, ReceivedAudioPacket)
    case video(line: Int, ReceivedVideoFrame)
    /// The far side needs a key frame; at most one in 500 ms for each line.
    case keyFrameRequested(line: Int)
    /// What all that this session sends may take, as far as reports and feedback tell.
    case bitrateAllowed(Bitrate)
    /// Every stream that the far side sent has said goodbye.
    case remoteLeft
}
