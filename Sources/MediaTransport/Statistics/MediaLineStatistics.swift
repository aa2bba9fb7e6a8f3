import MediaTypes

/// Counters of one media line since it was configured.
package struct MediaLineStatistics: Sendable, BitwiseCopyable {
    package var lineIndex: Int
    package var kind: MediaKind
    package var sent = SentMediaStatistics()
    package var received = ReceivedMediaStatistics()

    package init(lineIndex: Int, kind: MediaKind) {
        self.lineIndex = lineIndex
        self.kind = kind
    }
}

/// What one line sent, and what the far side said of it.
package struct SentMediaStatistics: Sendable, BitwiseCopyable {
    /// Without retransmissions.
    package var packets: Int64 = 0
    /// Payload bytes, without headers.
    package var bytes: Int64 = 0
    /// Video frames, or audio packets.
    package var frames: Int64 = 0
    package var keyFrames: Int64 = 0
    package var retransmittedPackets: Int64 = 0
    package var retransmittedBytes: Int64 = 0
    package var nacksReceived: Int64 = 0
    /// PLI and FIR together.
    package var keyFrameRequestsReceived: Int64 = 0
    /// From the last report: 0 … 1.
    package var fractionLost: Double = 0
    /// From the last report.
    package var cumulativeLost: Int64 = 0
    package var remoteJitter = Interval.zero
}

/// What one line received.
package struct ReceivedMediaStatistics: Sendable, BitwiseCopyable {
    package var ssrc: SSRC?
    /// Different packets, retransmitted ones included.
    package var packets: Int64 = 0
    /// Payload bytes.
    package var bytes: Int64 = 0
    /// Complete video frames handed on, or audio packets.
    package var frames: Int64 = 0
    package var keyFrames: Int64 = 0
    /// Missing for good or for now: expected − received.
    package var lost: Int64 = 0
    package var duplicates: Int64 = 0
    /// Packets that came only after they were asked for.
    package var recoveredPackets: Int64 = 0
    /// Sequence numbers asked for, repetitions included.
    package var nacksSent: Int64 = 0
    /// PLI and FIR together.
    package var keyFrameRequestsSent: Int64 = 0
    /// Video frames thrown away because something before them is missing for good.
    package var droppedFrames: Int64 = 0
    /// Interarrival jitter (RFC 3550 §6.4.1).
    package var jitter = Interval.zero
    package var sourceChanges: Int64 = 0
}
