import MediaTypes

/// One complete encoded picture, in an order that can be decoded.
package struct ReceivedVideoFrame {
    /// Valid until the session's next call.
    package var bytes: UnsafeRawBufferPointer
    /// Unwrapped ticks of 90 kHz, going on upwards when the sender changes its SSRC.
    package var timestamp: Int64
    package var isKeyFrame: Bool
    /// When its last missing packet came.
    package var completion: MonotonicTime
    /// See `ReceivedAudioPacket.senderTime`.
    package var senderTime: Int64?
}
