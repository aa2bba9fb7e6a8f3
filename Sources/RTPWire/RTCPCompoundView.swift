import MediaTypes

/// One or more RTCP packets in one datagram, read in place (RFC 3550 §6.1; reduced size allowed, RFC 5506).
package struct RTCPCompoundView: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// Nil where the lengths of the packets do not add up to the datagram, or one is not of version 2.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 4 else { return nil }
        var end = 0
        while end < bytes.count {
            guard bytes.count - end >= 4, bytes[end] >> 6 == 2, (192...223).contains(bytes[end + 1]) else {
                return nil
            }
            let length = 4 * (Int(bytes.uint16(at: end + 2)) + 1)
            guard length <= bytes.count - end else { return nil }
            if bytes[end] & 0x20 != 0 {
                // Only the last packet may be padded. libwebrtc pads its feedback by 1 … 3 bytes, although RFC 3550
                // §6.4.1 asks for a multiple of four.
                let padding = Int(bytes[end + length - 1])
                guard end + length == bytes.count, padding > 0, padding <= length - 4 else { return nil }
            }
            end += length
        }
        self.bytes = bytes
    }

    package mutating func next() -> RTCPBlock? {
        guard offset < bytes.count else { return nil }
        let length = 4 * (Int(bytes.uint16(at: offset + 2)) + 1)
        let packet = bytes.part(from: offset, length: length)
        offset += length
        let padding = packet[0] & 0x20 != 0 ? Int(packet[length - 1]) : 0
        let body = packet.part(from: 4, length: length - 4 - padding)
        return RTCPCompoundView.block(packetType: packet[1], count: packet[0] & 0x1F, body)
            ?? .malformed(packetType: packet[1])
    }

    private static func block(packetType: UInt8, count: UInt8, _ body: UnsafeRawBufferPointer) -> RTCPBlock? {
        switch packetType {
        case RTCPPacketType.senderReport: senderReport(count, body)
        case RTCPPacketType.receiverReport: receiverReport(count, body)
        case RTCPPacketType.sourceDescription:
            SourceDescriptionList(body, chunkCount: Int(count)).map { .sourceDescription($0) }
        case RTCPPacketType.bye:
            body.count >= 4 * Int(count) ? .bye(SSRCList(body.part(from: 0, length: 4 * Int(count)))) : nil
        case RTCPPacketType.transportLayerFeedback: transportLayerFeedback(count, body)
        case RTCPPacketType.payloadSpecificFeedback: payloadSpecificFeedback(count, body)
        default: .other(packetType: packetType, format: count)
        }
    }

    private static func senderReport(_ count: UInt8, _ body: UnsafeRawBufferPointer) -> RTCPBlock? {
        let reportBytes = ReceptionReport.byteCount * Int(count)
        guard body.count >= SenderReport.byteCount + reportBytes else { return nil }
        let report = SenderReport(
            sender: SSRC(body.uint32(at: 0)), ntpTime: NTPTime(body.uint64(at: 4)),
            timestamp: RTPTimestamp(body.uint32(at: 12)), packetCount: body.uint32(at: 16),
            octetCount: body.uint32(at: 20))
        let blocks = body.part(from: SenderReport.byteCount, length: reportBytes)
        return .senderReport(report, reports: ReceptionReportList(blocks))
    }

    private static func receiverReport(_ count: UInt8, _ body: UnsafeRawBufferPointer) -> RTCPBlock? {
        let reportBytes = ReceptionReport.byteCount * Int(count)
        guard body.count >= 4 + reportBytes else { return nil }
        let blocks = body.part(from: 4, length: reportBytes)
        return .receiverReport(sender: SSRC(body.uint32(at: 0)), reports: ReceptionReportList(blocks))
    }

    private static func transportLayerFeedback(_ format: UInt8, _ body: UnsafeRawBufferPointer) -> RTCPBlock? {
        switch format {
        case RTCPPacketType.nackFormat:
            guard body.count >= 12 else { return nil }
            let pairs = body.part(from: 8, length: body.count - 8)
            return .nack(media: SSRC(body.uint32(at: 4)), SequenceNumberList(pairs))
        case RTCPPacketType.transportWideFormat:
            return TransportFeedbackView(body).map { .transportFeedback($0) }
        default:
            return .other(packetType: RTCPPacketType.transportLayerFeedback, format: format)
        }
    }

    private static func payloadSpecificFeedback(_ format: UInt8, _ body: UnsafeRawBufferPointer) -> RTCPBlock? {
        switch format {
        case RTCPPacketType.pictureLossFormat:
            return body.count >= 8 ? .pictureLoss(media: SSRC(body.uint32(at: 4))) : nil
        case RTCPPacketType.fullIntraRequestFormat:
            guard body.count >= 16, body.count % 8 == 0 else { return nil }
            return .fullIntraRequest(FullIntraRequestList(body.part(from: 8, length: body.count - 8)))
        case RTCPPacketType.applicationLayerFormat:
            guard body.count >= 12, body.uint32(at: 8) == RTCPPacketType.maximumBitrateName else {
                return .other(packetType: RTCPPacketType.payloadSpecificFeedback, format: format)
            }
            return maximumBitrate(body)
        default:
            return .other(packetType: RTCPPacketType.payloadSpecificFeedback, format: format)
        }
    }

    private static func maximumBitrate(_ body: UnsafeRawBufferPointer) -> RTCPBlock? {
        guard body.count >= 16 else { return nil }
        let sourceCount = Int(body[12])
        guard body.count >= 16 + 4 * sourceCount else { return nil }
        let exponent = Int(body[13] >> 2)
        let mantissa = Int64(body.uint24(at: 13) & 0x3_FFFF)
        // An absurd rate is no limit; it must not wrap to a small one.
        let rate = Int(clamping: mantissa << Int64(Swift.min(exponent, 40)))
        let sources = SSRCList(body.part(from: 16, length: 4 * sourceCount))
        return .maximumBitrate(Bitrate(bitsPerSecond: rate), sources)
    }
}
