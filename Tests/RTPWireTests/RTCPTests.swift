import MediaTypes
import Testing

@testable import RTPWire

@Suite struct RTCPTests {
    private func blocks<Result>(_ packet: [UInt8], _ body: ([RTCPBlock]) -> Result) -> Result? {
        withExactBytes(packet) { buffer in RTCPCompoundView(buffer).map { body(Array($0)) } }
    }

    static let report = ReceptionReport(
        source: SSRC(0xAABB_CCDD), fractionLost: 25, cumulativeLost: -3, extendedHighestSequence: 0x0001_FFFF,
        jitter: 77, lastSenderReport: 0x1234_5678, delaySinceLastSenderReport: 0x9ABC_DEF0)

    @Test func aSenderReportIsWrittenAsTheRFCDrawsIt() {
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(
                writer.appendSenderReport(
                    SenderReport(
                        sender: SSRC(1), ntpTime: NTPTime(0x0102_0304_0506_0708), timestamp: RTPTimestamp(2),
                        packetCount: 3, octetCount: 4)) == true)
            #expect(writer.appendReport(Self.report) == true)
            return writer.count
        }
        #expect(
            packet
                == bytes(
                    """
                    81 C8 000C 00000001 0102030405060708 00000002 00000003 00000004
                    AABBCCDD 19 FFFFFD 0001FFFF 0000004D 12345678 9ABCDEF0
                    """))
        let isChecked = blocks(packet) { blocks in
            guard blocks.count == 1, case .senderReport(let sender, let reports) = blocks[0] else { return false }
            #expect(sender.ntpTime == NTPTime(0x0102_0304_0506_0708))
            #expect(sender.timestamp == RTPTimestamp(2))
            #expect(sender.packetCount == 3 && sender.octetCount == 4)
            #expect(reports.count == 1)
            #expect(Array(reports) == [Self.report])
            return true
        }
        #expect(isChecked == true)
    }

    static let losses: [(Int32, Int32)] = [
        (.min, -0x80_0000), (-0x80_0000, -0x80_0000), (-1, -1), (0, 0), (.max, 0x7F_FFFF),
    ]

    @Test(arguments: losses)
    func cumulativeLossIsCappedAtTwentyFourBits(written loss: Int32, read expected: Int32) {
        var report = Self.report
        report.cumulativeLost = loss
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            _ = writer.appendReceiverReport(sender: SSRC(9)) && writer.appendReport(report)
            return writer.count
        }
        let read = blocks(packet) { blocks -> Int32? in
            guard case .receiverReport(SSRC(9), var reports)? = blocks.first else { return nil }
            return reports.next()?.cumulativeLost
        }
        #expect(read == expected)
    }

    @Test func aReportTakesThirtyOneBlocks() {
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(writer.appendReceiverReport(sender: SSRC(9)) == true)
            for _ in 0..<31 { #expect(writer.appendReport(Self.report) == true) }
            #expect(writer.appendReport(Self.report) == false)
            return writer.count
        }
        let count = blocks(packet) { blocks -> Int? in
            guard case .receiverReport(_, let reports)? = blocks.first else { return nil }
            return reports.count
        }
        #expect(count == 31)
    }

    @Test func aWholeCompoundIsReadInItsOrder() {
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(writer.isEmpty)
            #expect(writer.appendReceiverReport(sender: SSRC(1)) == true)
            #expect(writer.appendSourceDescription(source: SSRC(1), cname: "endpoint") == true)
            #expect(writer.appendNACK(sender: SSRC(1), media: SSRC(2), missing: [SequenceNumber(65_535)]) == true)
            #expect(writer.appendPictureLoss(sender: SSRC(1), media: SSRC(2)) == true)
            #expect(writer.appendFullIntraRequest(sender: SSRC(1), media: SSRC(2), commandNumber: 7) == true)
            #expect(
                writer.appendMaximumBitrate(
                    sender: SSRC(1), .kilobitsPerSecond(800), sources: [SSRC(2), SSRC(3)]) == true)
            let covered = writer.appendTransportFeedback(
                sender: SSRC(1), media: SSRC(2), feedbackCount: 3, baseSequence: SequenceNumber(10), statusCount: 1,
                arrival: { _ in MonotonicTime(nanoseconds: 64_000_000) })
            #expect(covered == 1)
            #expect(writer.appendBye([SSRC(1), SSRC(2)]) == true)
            return writer.count
        }
        let words = blocks(packet) { blocks in blocks.map(Self.words) }
        #expect(
            words == [
                "RR 1 reports 0", "SDES 1 endpoint", "NACK 2 [65535]", "PLI 2", "FIR [2 7]", "REMB 800000 [2, 3]",
                "TWCC 10 1 ref 1 #3", "BYE [1, 2]",
            ])
    }

    private static func words(_ block: RTCPBlock) -> String {
        switch block {
        case .senderReport(let report, let reports): "SR \(report.sender.rawValue) reports \(reports.count)"
        case .receiverReport(let sender, let reports): "RR \(sender.rawValue) reports \(reports.count)"
        case .sourceDescription(let list):
            "SDES "
                + list.map { "\($0.source.rawValue) \(String(decoding: $0.cname, as: UTF8.self))" }
                .joined(separator: ", ")
        case .bye(let sources): "BYE \(sources.map(\.rawValue))"
        case .nack(let media, let missing): "NACK \(media.rawValue) \(missing.map(\.rawValue))"
        case .pictureLoss(let media): "PLI \(media.rawValue)"
        case .fullIntraRequest(let list):
            "FIR [" + list.map { "\($0.media.rawValue) \($0.commandNumber)" }.joined(separator: ", ") + "]"
        case .maximumBitrate(let rate, let sources): "REMB \(rate.bitsPerSecond) \(sources.map(\.rawValue))"
        case .transportFeedback(let view):
            "TWCC \(view.baseSequence.rawValue) \(view.statusCount) ref \(view.referenceTime) #\(view.feedbackCount)"
        case .other(let type, let format): "other \(type) \(format)"
        case .malformed(let type): "malformed \(type)"
        }
    }

    @Test func nothingIsWrittenWhereThereIsNoRoom() {
        for capacity in 0..<48 {
            _ = written(capacity: capacity) { buffer in
                var writer = RTCPWriter(into: buffer)
                _ = writer.appendPictureLoss(sender: SSRC(1), media: SSRC(2))
                let count = writer.count
                #expect(count == (capacity >= 12 ? 12 : 0))
                let missing = (0..<20).map { SequenceNumber(UInt16($0 * 100)) }
                #expect(writer.appendNACK(sender: SSRC(1), media: SSRC(2), missing: missing) == false)
                #expect(
                    writer.appendSourceDescription(source: SSRC(1), cname: String(repeating: "x", count: 60)) == false)
                #expect(writer.count == count)
                return 0
            }
        }
    }

    @Test func aNameTooLongIsRefused() {
        _ = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(writer.appendSourceDescription(source: SSRC(1), cname: String(repeating: "x", count: 256)) == false)
            #expect(writer.appendSourceDescription(source: SSRC(1), cname: String(repeating: "x", count: 255)) == true)
            return 0
        }
    }

    @Test(arguments: 0...9) func namesOfEveryLengthArePaddedToAWord(length: Int) {
        let name = String(repeating: "n", count: length)
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(writer.appendSourceDescription(source: SSRC(5), cname: name) == true)
            return writer.count
        }
        #expect(packet.count % 4 == 0)
        #expect(packet.last == 0)
        #expect(blocks(packet) { $0.map(Self.words) } == ["SDES 5 \(name)"])
    }

    @Test func otherItemsAndChunksOfADescriptionAreWalked() {
        // Two chunks; the first has a NAME before its CNAME, the second has no item at all.
        let packet = bytes("82 CA 0005 00000001 02 01 41 01 02 4243 00 00000002 00000000")
        #expect(blocks(packet) { $0.map(Self.words) } == ["SDES 1 BC, 2 "])
    }

    @Test func aByeMayHaveAReason() {
        #expect(blocks(bytes("81 CB 0002 00000007 02 6869 00")) { $0.map(Self.words) } == ["BYE [7]"])
        #expect(blocks(bytes("80 CB 0000")) { $0.map(Self.words) } == ["BYE []"])
    }

    @Test func paddingOfTheLastPacketIsLeftOut() {
        let packet = bytes("A1 CE 0003 00000001 00000002 00000004")
        #expect(blocks(packet) { $0.map(Self.words) } == ["PLI 2"])
    }

    /// libwebrtc pads transport-wide feedback to whole words by 1 … 3 bytes and says so: one packet arrived, one delta.
    @Test func paddingNeedNotBeWholeWords() {
        let packet = bytes("AF CD 0005 00000001 00000002 0007 0001 000001 00 2001 04 01")
        #expect(blocks(packet) { $0.count } == 1)
        #expect(blocks(packet) { if case .transportFeedback? = $0.first { true } else { false } } == true)
    }

    @Test(arguments: [
        "", "80 C8 00", "80 C8 0001",  // longer than the datagram
        "40 C9 0001 00000001",  // version 1
        "80 60 0001 00000001",  // an RTP payload type
        "80 C9 0001 00000001 80 C9",  // half a header behind a whole packet
        "A0 C9 0001 00000000",  // padding of 0
        "A0 C9 0001 00000008",  // padding over the header
        "A0 C9 0002 00000001 00000004 80 C9 0001 00000001",  // padding before the last packet
    ])
    func malformedCompoundsAreRefused(packet: String) {
        #expect(blocks(bytes(packet)) { _ in true } == nil)
    }

    static let malformedBlocks: [(String, UInt8)] = [
        ("81 C8 0006 00000001 0102030405060708 00000002 00000003 00000004", 200),  // report block is missing
        ("80 C8 0001 00000001", 200), ("81 C9 0001 00000001", 201), ("80 C9 0000", 201),
        ("81 CA 0001 00000001", 202),  // chunk without an end
        ("81 CA 0002 00000001 01 09 41 42", 202),  // item longer than the packet
        ("82 CB 0001 00000001", 203), ("81 CD 0002 00000001 00000002", 205), ("81 CE 0001 00000001", 206),
        ("84 CE 0003 00000001 00000002 00000003", 206),  // half an entry
        ("8F CE 0004 00000001 00000000 52454D42 01 03 0000", 206),  // one source announced, none there
        ("8F CD 0003 00000001 00000002 00010000", 205),
    ]

    @Test(arguments: malformedBlocks)
    func malformedBlocksAreToldApartAndSkipped(packet: String, type: UInt8) {
        let words = blocks(bytes(packet) + bytes("80 C9 0001 00000001")) { $0.map(Self.words) }
        #expect(words == ["malformed \(type)", "RR 1 reports 0"])
    }

    @Test func unknownKindsAreTold() {
        let packet = bytes(
            "82 CC 0002 00000001 00000000 85 CD 0002 00000001 00000002 8F CE 0003 00000001 00000002 41414141")
        #expect(blocks(packet) { $0.map(Self.words) } == ["other 204 2", "other 205 5", "other 206 15"])
    }

    // MARK: NACK

    private func nackRoundTrip(_ numbers: [UInt16]) -> (packet: [UInt8], read: [UInt16]?) {
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(
                writer.appendNACK(sender: SSRC(1), media: SSRC(2), missing: numbers.map { SequenceNumber($0) }) == true)
            return writer.count
        }
        let read = blocks(packet) { blocks -> [UInt16] in
            guard case .nack(_, let list)? = blocks.first else { return [] }
            return list.map(\.rawValue)
        }
        return (packet, read)
    }

    @Test func neighboursShareABitMap() {
        let (packet, read) = nackRoundTrip([100, 101, 116])
        #expect(packet == bytes("81 CD 0003 00000001 00000002 0064 8001"))
        #expect(read == [100, 101, 116])
    }

    @Test func theSeventeenthNeighbourStartsANewPair() {
        let (packet, read) = nackRoundTrip([100, 117])
        #expect(packet.count == 20)
        #expect(read == [100, 117])
    }

    @Test(arguments: [UInt16(0), 65_520, 65_534, 65_535]) func bitMapsWrapAround(start: UInt16) {
        let numbers = [0, 1, 3, 15, 16, 17, 40, 41, 300].map { start &+ $0 }
        #expect(nackRoundTrip(numbers).read == numbers)
    }

    @Test func aNumberNamedTwiceIsWrittenOnce() {
        #expect(nackRoundTrip([7, 7, 8]).read == [7, 8])
    }

    // MARK: REMB

    @Test(arguments: [0, 1, 262_143, 262_144, 1_000_000, 1_500_001, 4_000_000_000, Int(Int32.max) << 16])
    func maximumBitratesKeepEighteenBits(rate: Int) {
        let packet = written { buffer in
            var writer = RTCPWriter(into: buffer)
            #expect(
                writer.appendMaximumBitrate(sender: SSRC(1), Bitrate(bitsPerSecond: rate), sources: [SSRC(2)]) == true)
            return writer.count
        }
        let read = blocks(packet) { blocks -> Int? in
            guard case .maximumBitrate(let rate, _)? = blocks.first else { return nil }
            return rate.bitsPerSecond
        }
        let shift = max(0, rate.bitWidth - rate.leadingZeroBitCount - 18)
        let expected = (rate >> shift) << shift
        #expect(read == expected)
    }

    @Test func anAbsurdMaximumIsLarge() {
        let packet = bytes("8F CE 0004 00000001 00000000 52454D42 00 FFFFFF")
        let rate = blocks(packet) { blocks -> Int in
            guard case .maximumBitrate(let rate, _)? = blocks.first else { return 0 }
            return rate.bitsPerSecond
        }
        #expect(rate.map { $0 > 1_000_000_000 } == true)
    }
}
