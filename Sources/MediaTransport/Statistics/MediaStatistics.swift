import MediaTypes

/// A snapshot of what a `MediaSession` did; making it allocates.
package struct MediaStatistics: Sendable {
    /// In the order of the configuration.
    package var lines: [MediaLineStatistics] = []
    /// From the far side's reports, smoothed; nil before the first.
    package var roundTripTime: Interval?
    package var bitrateAllowed = Bitrate(bitsPerSecond: 0)
    /// What the far side's feedback says has arrived lately; nil without transport-wide feedback.
    package var bitrateAcknowledged: Bitrate?
    /// RTP over the last second, headers included.
    package var bitrateSent = Bitrate(bitsPerSecond: 0)
    package var bitrateReceived = Bitrate(bitsPerSecond: 0)
    /// Dropped packets and frames, indexed by `PacketDropReason.rawValue`.
    package var drops = [Int64](repeating: 0, count: PacketDropReason.allCases.count)
    package var rtcpPacketsSent: Int64 = 0
    package var rtcpPacketsReceived: Int64 = 0
    /// Video packets that wait for the pacer.
    package var pacerQueuePackets = 0

    package init() {}

    package func dropped(_ reason: PacketDropReason) -> Int64 { drops[reason.rawValue] }
    package func line(_ index: Int) -> MediaLineStatistics? { lines.first { $0.lineIndex == index } }
}
