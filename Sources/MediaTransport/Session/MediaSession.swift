import MediaTypes
import RTPWire

/// All RTP and RTCP of one peer connection, without sockets, clocks or threads.
///
/// The caller feeds one input (`submit…`, `receive…`, `advance`, `configure`, …), then polls until `pollOutput` says nil,
/// then waits for the next input or for `nextDeadline`.
/// - Thread: confined to its owner's (`cb-net`).
/// - Errors: none; what the network sends wrong is counted by `PacketDropReason` and dropped.
package final class MediaSession {
    /// Bytes behind each packet to send that SRTP may write.
    package static let tailRoom = 160

    /// - Parameters:
    ///   - seed: decides first sequence numbers, timestamp offsets and report times; random for every session.
    ///   - startRate: allowed before the far side has said anything.
    ///   - unixOffset: wall-clock time minus monotonic time, for sender reports and capture times.
    package init(seed: UInt64, localCNAME: String, startRate: Bitrate, unixOffset: Interval = .zero) {}

    /// Bounds of `bitrateAllowed`.
    package func limitBitrate(minimum: Bitrate, maximum: Bitrate) {}

    /// Takes over the negotiated lines; at any time. Lines that stay keep their streams.
    package func configure(_ lines: [MediaLineConfiguration], at time: MonotonicTime) {}

    /// Sends one Opus packet.
    /// - Parameter timestamp: ticks of 48 kHz of the capture clock; the session adds its own offset.
    package func submitAudio(
        _ payload: UnsafeRawBufferPointer, line: Int, timestamp: RTPTimestamp, marker: Bool, audioLevelDBov: UInt8,
        voiceActivity: Bool, at time: MonotonicTime
    ) {}

    /// Packetises, paces and keeps one VP8 frame.
    /// - Parameter timestamp: ticks of 90 kHz of the capture clock; the session adds its own offset.
    package func submitVideo(
        _ frame: UnsafeRawBufferPointer, line: Int, timestamp: RTPTimestamp, isKeyFrame: Bool, at time: MonotonicTime
    ) {}

    /// Takes in one decrypted RTP packet.
    package func receiveRTP(_ packet: UnsafeRawBufferPointer, at time: MonotonicTime) {}

    /// Takes in one decrypted RTCP packet.
    package func receiveRTCP(_ packet: UnsafeRawBufferPointer, at time: MonotonicTime) {}

    /// Does what is due: pacing, reports, feedback, requests.
    package func advance(to time: MonotonicTime) {}

    /// When `advance` must be called next.
    package var nextDeadline: MonotonicTime { .distantFuture }

    /// The next thing to do, or nil when the input is dealt with.
    package func pollOutput() -> MediaOutput? { nil }

    /// Asks the far side for a key frame, again and again until one came.
    package func requestKeyFrame(line: Int, at time: MonotonicTime) {}

    /// Says goodbye for every stream that was sent.
    package func close(at time: MonotonicTime) {}

    package var statistics: MediaStatistics { MediaStatistics() }
}
