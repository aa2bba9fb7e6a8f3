import MediaTypes

/// What a receiver says of one stream (RFC 3550 §6.4.1, a "report block").
package struct ReceptionReport: Hashable, Sendable, BitwiseCopyable {
    package var source: SSRC
    /// Lost since the last report, in 1/256.
    package var fractionLost: UInt8
    /// Lost since the start; negative with duplicates. 24 bits, capped when written.
    package var cumulativeLost: Int32
    /// Cycles in the high 16 bits, highest sequence number in the low ones.
    package var extendedHighestSequence: UInt32
    /// In ticks of the stream's RTP clock.
    package var jitter: UInt32
    /// Compact NTP time of the last sender report; 0 before the first.
    package var lastSenderReport: UInt32
    /// In 1/65536 s.
    package var delaySinceLastSenderReport: UInt32

    package init(
        source: SSRC, fractionLost: UInt8 = 0, cumulativeLost: Int32 = 0, extendedHighestSequence: UInt32 = 0,
        jitter: UInt32 = 0, lastSenderReport: UInt32 = 0, delaySinceLastSenderReport: UInt32 = 0
    ) {
        self.source = source
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.extendedHighestSequence = extendedHighestSequence
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        source = SSRC(bytes.uint32(at: offset))
        fractionLost = bytes.uint8(at: offset + 4)
        // Sign extension of 24 bits.
        cumulativeLost = Int32(bitPattern: bytes.uint24(at: offset + 5) << 8) >> 8
        extendedHighestSequence = bytes.uint32(at: offset + 8)
        jitter = bytes.uint32(at: offset + 12)
        lastSenderReport = bytes.uint32(at: offset + 16)
        delaySinceLastSenderReport = bytes.uint32(at: offset + 20)
    }

    func write(to writer: inout ByteWriter) {
        writer.append(source.rawValue)
        writer.append(fractionLost)
        writer.append24(UInt32(bitPattern: max(-0x80_0000, min(0x7F_FFFF, cumulativeLost))))
        writer.append(extendedHighestSequence)
        writer.append(jitter)
        writer.append(lastSenderReport)
        writer.append(delaySinceLastSenderReport)
    }

    static let byteCount = 24
}
