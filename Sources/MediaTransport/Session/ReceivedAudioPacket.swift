import MediaTypes

/// One audio packet for the jitter buffer.
package struct ReceivedAudioPacket {
    /// Valid until the session's next call.
    package var payload: UnsafeRawBufferPointer
    /// Unwrapped, and going on upwards when the sender changes its SSRC.
    package var sequence: Int64
    /// Unwrapped ticks of 48 kHz, likewise.
    package var timestamp: Int64
    package var arrival: MonotonicTime
    /// −dBov: 0 loudest … 127 silent; nil without the extension.
    package var levelDBov: UInt8?
    package var hasVoice: Bool
    package var marker: Bool
    /// It was asked for again: its arrival says nothing about jitter.
    package var isRetransmission: Bool
    /// When it was captured, in nanoseconds on the sender's own clock (from its sender reports), for lip-sync with the
    /// video of the same peer; nil before the first report.
    package var senderTime: Int64?
}
