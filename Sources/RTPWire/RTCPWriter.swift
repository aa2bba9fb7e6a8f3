import MediaTypes

/// Appends RTCP packets to a caller's buffer until it is full: each call writes its packet whole, or returns false and
/// leaves the buffer as it was.
package struct RTCPWriter {
    private var writer: ByteWriter
    /// Where the report begins that `appendReport` adds to.
    private var openReportStart: Int?

    package init(into buffer: UnsafeMutableRawBufferPointer) {
        writer = ByteWriter(buffer)
    }

    /// The size of the compound so far.
    package var count: Int { writer.count }
    package var isEmpty: Bool { writer.count == 0 }

    /// Starts a sender report; report blocks may follow.
    package mutating func appendSenderReport(_ report: SenderReport) -> Bool {
        let start = writer.count
        guard
            appendPacket(
                RTCPPacketType.senderReport, 0,
                { writer in
                    writer.append(report.sender.rawValue)
                    writer.append(report.ntpTime.rawValue)
                    writer.append(report.timestamp.rawValue)
                    writer.append(report.packetCount)
                    writer.append(report.octetCount)
                })
        else { return false }
        openReportStart = start
        return true
    }

    /// Starts a receiver report; report blocks may follow.
    package mutating func appendReceiverReport(sender: SSRC) -> Bool {
        let start = writer.count
        guard appendPacket(RTCPPacketType.receiverReport, 0, { $0.append(sender.rawValue) }) else { return false }
        openReportStart = start
        return true
    }

    /// Adds a block to the sender or receiver report that was appended last; false also when it has 31 already.
    package mutating func appendReport(_ report: ReceptionReport) -> Bool {
        guard let start = openReportStart else { preconditionFailure("a report block needs a report before it") }
        let count = writer.buffer[start] & 0x1F
        guard count < 31, writer.remaining >= ReceptionReport.byteCount else { return false }
        report.write(to: &writer)
        writer.replace(at: start, with: 0x80 | (count + 1))
        writer.replace(at: start + 2, with: UInt16((writer.count - start) / 4 - 1))
        return true
    }

    /// Appends a source description with one canonical name.
    /// - Parameter cname: 1 … 255 bytes of UTF-8; longer names are refused.
    package mutating func appendSourceDescription(source: SSRC, cname: String) -> Bool {
        let length = cname.utf8.count
        guard length <= 255 else { return false }
        return appendPacket(
            RTCPPacketType.sourceDescription, 1,
            { writer in
                writer.append(source.rawValue)
                writer.append(UInt8(1))
                writer.append(UInt8(length))
                for byte in cname.utf8 { writer.append(byte) }
                // At least one zero ends the items.
                writer.appendZeros(4 - (length + 2) % 4)
            })
    }

    /// Appends a BYE for at most 31 sources.
    package mutating func appendBye(_ sources: some Collection<SSRC>) -> Bool {
        guard sources.count <= 31 else { return false }
        return appendPacket(
            RTCPPacketType.bye, UInt8(sources.count),
            { writer in
                for source in sources { writer.append(source.rawValue) }
            })
    }

    /// Appends a NACK.
    /// - Parameter missing: in the order of the sequence numbers, not empty; neighbours share a bit map.
    package mutating func appendNACK(sender: SSRC, media: SSRC, missing: some Sequence<SequenceNumber>) -> Bool {
        appendPacket(
            RTCPPacketType.transportLayerFeedback, RTCPPacketType.nackFormat,
            { writer in
                writer.append(sender.rawValue)
                writer.append(media.rawValue)
                var base: SequenceNumber?
                var bits: UInt16 = 0
                for number in missing {
                    if let first = base {
                        let distance = first.distance(to: number)
                        if distance == 0 { continue }
                        if (1...16).contains(distance) {
                            bits |= 1 << UInt16(distance - 1)
                            continue
                        }
                        writer.append(first.rawValue)
                        writer.append(bits)
                    }
                    base = number
                    bits = 0
                }
                guard let base else { preconditionFailure("a NACK names at least one packet") }
                writer.append(base.rawValue)
                writer.append(bits)
            })
    }

    /// Appends a picture loss indication.
    package mutating func appendPictureLoss(sender: SSRC, media: SSRC) -> Bool {
        appendPacket(
            RTCPPacketType.payloadSpecificFeedback, RTCPPacketType.pictureLossFormat,
            { writer in
                writer.append(sender.rawValue)
                writer.append(media.rawValue)
            })
    }

    /// Appends a full intra request for one stream.
    /// - Parameter commandNumber: one more than before for a new request, the same for a repetition.
    package mutating func appendFullIntraRequest(sender: SSRC, media: SSRC, commandNumber: UInt8) -> Bool {
        appendPacket(
            RTCPPacketType.payloadSpecificFeedback, RTCPPacketType.fullIntraRequestFormat,
            { writer in
                writer.append(sender.rawValue)
                // The media source is in the entry; this field is unused (RFC 5104 §4.3.1.2).
                writer.append(UInt32(0))
                writer.append(media.rawValue)
                writer.append(UInt32(commandNumber) << 24)
            })
    }

    /// Appends a maximum bit rate (REMB), rounded down to its 18 bits of mantissa.
    package mutating func appendMaximumBitrate(
        sender: SSRC, _ bitrate: Bitrate, sources: some Collection<SSRC>
    ) -> Bool {
        guard sources.count <= 255 else { return false }
        return appendPacket(
            RTCPPacketType.payloadSpecificFeedback, RTCPPacketType.applicationLayerFormat,
            { writer in
                writer.append(sender.rawValue)
                writer.append(UInt32(0))
                writer.append(RTCPPacketType.maximumBitrateName)
                var mantissa = UInt64(max(0, bitrate.bitsPerSecond))
                var exponent: UInt32 = 0
                while mantissa > 0x3_FFFF {
                    mantissa >>= 1
                    exponent += 1
                }
                writer.append(UInt8(sources.count))
                writer.append24(exponent << 18 | UInt32(mantissa))
                for source in sources { writer.append(source.rawValue) }
            })
    }

    /// Appends transport-wide feedback about a run of packets.
    /// - Parameters:
    ///   - sender: our own source.
    ///   - media: any source of the far side.
    ///   - feedbackCount: one more with each feedback packet.
    ///   - baseSequence: the transport-wide number of the packet at index 0.
    ///   - statusCount: how many packets to report, arrived or not.
    ///   - arrival: when the packet at an index arrived, or nil; called several times with the same index.
    /// - Returns: how many packets the feedback covers; less than asked for when the buffer is full or two arrivals are
    ///   more than 8 s apart (call again for the rest); 0 when nothing was written because none of them arrived or
    ///   there is no room.
    package mutating func appendTransportFeedback(
        sender: SSRC, media: SSRC, feedbackCount: UInt8, baseSequence: SequenceNumber, statusCount: Int,
        arrival: (Int) -> MonotonicTime?
    ) -> Int {
        let plan = TransportFeedbackPlan(
            statusCount: min(statusCount, 0xFFFF), byteLimit: writer.remaining, arrival: arrival)
        guard let plan else { return 0 }
        let isWritten = appendPacket(
            RTCPPacketType.transportLayerFeedback, RTCPPacketType.transportWideFormat,
            { writer in
                writer.append(sender.rawValue)
                writer.append(media.rawValue)
                writer.append(baseSequence.rawValue)
                writer.append(UInt16(plan.coveredCount))
                writer.append24(UInt32(truncatingIfNeeded: plan.referenceTime))
                writer.append(feedbackCount)
                plan.writeChunks(to: &writer, arrival: arrival)
                plan.writeDeltas(to: &writer, arrival: arrival)
            })
        return isWritten ? plan.coveredCount : 0
    }

    /// Writes header and body; pads the body to whole words with zeros, which only feedback packets rely on.
    private mutating func appendPacket(
        _ packetType: UInt8, _ count: UInt8, _ writeBody: (inout ByteWriter) -> Void
    ) -> Bool {
        let start = writer.count
        writer.append(0x80 | count)
        writer.append(packetType)
        writer.append(UInt16(0))
        writeBody(&writer)
        writer.appendZeros((4 - writer.count % 4) % 4)
        guard !writer.hasOverflowed else {
            writer.truncate(to: start)
            return false
        }
        openReportStart = nil
        writer.replace(at: start + 2, with: UInt16((writer.count - start) / 4 - 1))
        return true
    }
}
