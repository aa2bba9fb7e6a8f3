import MediaTypes

/// What a sender says of its own stream (RFC 3550 §6.4.1): ties its RTP clock to wall-clock time.
package struct SenderReport: Hashable, Sendable, BitwiseCopyable {
    package var sender: SSRC
    package var ntpTime: NTPTime
    package var timestamp: RTPTimestamp
    package var packetCount: UInt32
    /// Payload bytes, without headers and padding.
    package var octetCount: UInt32

    package init(sender: SSRC, ntpTime: NTPTime, timestamp: RTPTimestamp, packetCount: UInt32, octetCount: UInt32) {
        self.sender = sender
        self.ntpTime = ntpTime
        self.timestamp = timestamp
        self.packetCount = packetCount
        self.octetCount = octetCount
    }

    static let byteCount = 24
}
