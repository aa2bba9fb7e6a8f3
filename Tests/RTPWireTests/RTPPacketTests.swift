import MediaTypes
import Testing

@testable import RTPWire

@Suite struct RTPPacketTests {
    static let header = RTPHeader(
        payloadType: PayloadType(111), marker: true, sequenceNumber: SequenceNumber(65_535),
        timestamp: RTPTimestamp(0xFFFF_FFFE), ssrc: SSRC(0x0102_0304))

    @Test func aPlainPacketIsReadFieldByField() {
        let packet = bytes("80 EF FFFF FFFFFFFE 01020304 0A0B0C")
        withExactBytes(packet) { buffer in
            let view = RTPPacketView(buffer)
            #expect(view?.payloadType == PayloadType(111))
            #expect(view?.marker == true)
            #expect(view?.sequenceNumber == SequenceNumber(65_535))
            #expect(view?.timestamp == RTPTimestamp(0xFFFF_FFFE))
            #expect(view?.ssrc == SSRC(0x0102_0304))
            #expect(view?.csrcCount == 0)
            #expect(view?.headerByteCount == 12)
            #expect(view.map { Array($0.payload) } == [10, 11, 12])
            #expect(view?.extensionValue(id: 1) == nil)
        }
    }

    @Test func contributingSourcesAndPaddingAreNoPayload() {
        let packet = bytes("A2 60 0001 00000002 00000003  00000004 00000005  0A 0B  00 00 03")
        withExactBytes(packet) { buffer in
            let view = RTPPacketView(buffer)
            #expect(view?.csrcCount == 2)
            #expect(view?.csrc(at: 0) == SSRC(4))
            #expect(view?.csrc(at: 1) == SSRC(5))
            #expect(view?.headerByteCount == 20)
            #expect(view.map { Array($0.payload) } == [10, 11])
            #expect(view?.paddingByteCount == 3)
        }
    }

    @Test func aPacketOfPaddingOnlyHasAnEmptyPayload() {
        withExactBytes(bytes("A0 60 0001 00000002 00000003 00 00 00 04")) { buffer in
            #expect(RTPPacketView(buffer)?.payload.count == 0)
        }
    }

    @Test(arguments: [
        "", "80", "80 60 0001 00000002 000000",  // shorter than a header
        "40 60 0001 00000002 00000003", "C0 60 0001 00000002 00000003",  // version 1, version 3
        "81 60 0001 00000002 00000003",  // a contributing source is missing
        "90 60 0001 00000002 00000003", "90 60 0001 00000002 00000003 BEDE 0001",  // extension cut off
        "90 60 0001 00000002 00000003 BEDE FFFF 00000000",
        "A0 60 0001 00000002 00000003",  // padding without a byte
        "A0 60 0001 00000002 00000003 00",  // padding of 0
        "A0 60 0001 00000002 00000003 0000 04",  // more padding than payload
    ])
    func malformedPacketsAreRefused(packet: String) {
        withExactBytes(bytes(packet)) { #expect(RTPPacketView($0) == nil) }
    }

    @Test func everyTruncationEndsInNilOrAShorterPayload() {
        let packet = bytes(
            "92 60 0001 00000002 00000003 00000004 00000005 BEDE 0002 10AA 22010203 00 00 0A0B0C0D")
        for length in 0..<packet.count {
            withExactBytes(packet.prefix(length)) { buffer in
                let view = RTPPacketView(buffer)
                #expect((view == nil) == (length < 32))
                #expect(view.map { $0.payload.count == length - 32 } ?? true)
            }
        }
    }

    @Test func aWrittenPacketIsReadBackWithAllItsFields() {
        let packet = written { buffer in
            var writer = RTPPacketWriter(into: buffer, header: Self.header)
            writer.appendOriginalSequenceNumber(SequenceNumber(0xABCD))
            withExactBytes([1, 2, 3]) { writer.appendPayload($0) }
            #expect(writer.headerByteCount == 12)
            return writer.finishedByteCount ?? -1
        }
        #expect(packet == bytes("80 EF FFFF FFFFFFFE 01020304 ABCD 010203"))
    }

    @Test func aPacketThatDoesNotFitIsNotFinished() {
        for capacity in 0..<15 {
            _ = written(capacity: capacity) { buffer in
                var writer = RTPPacketWriter(into: buffer, header: Self.header)
                withExactBytes([1, 2, 3]) { writer.appendPayload($0) }
                #expect(writer.finishedByteCount == nil)
                return 0
            }
        }
    }

    @Test(arguments: [UInt16(0), 1, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF])
    func headersSurviveTheRoundTripAtWrapAround(start: UInt16) {
        for step in -2...2 {
            var header = Self.header
            header.sequenceNumber = SequenceNumber(start).advanced(by: step)
            header.timestamp = RTPTimestamp(UInt32(start) << 16).advanced(byTicks: step)
            header.marker = step % 2 == 0
            let packet = written { RTPPacketWriter(into: $0, header: header).finishedByteCount ?? 0 }
            withExactBytes(packet) { buffer in
                let view = RTPPacketView(buffer)
                #expect(view?.sequenceNumber == header.sequenceNumber)
                #expect(view?.timestamp == header.timestamp)
                #expect(view?.marker == header.marker)
            }
        }
    }

    @Test func theEditorChangesOnlyItsExtensions() {
        let map = HeaderExtensionMap(audioLevel: 1, absSendTime: 2, transportSequence: 3)
        var values = HeaderExtensionValues()
        values.audioLevel = AudioLevel(minusDBov: 30, hasVoice: true)
        values.absSendTime = 0
        values.transportSequence = 0
        let before = written { buffer in
            RTPPacketWriter(into: buffer, header: Self.header, extensions: values, map: map).finishedByteCount ?? 0
        }
        values.absSendTime = 0xABCDEF
        values.transportSequence = 0x1234
        let expected = written { buffer in
            RTPPacketWriter(into: buffer, header: Self.header, extensions: values, map: map).finishedByteCount ?? 0
        }
        var edited = before
        edited.withUnsafeMutableBytes { buffer in
            let editor = RTPPacketEditor(buffer)
            editor?.setAbsSendTime(0xABCDEF, id: 2)
            editor?.setTransportSequence(0x1234, id: 3)
            editor?.setTransportSequence(0xFFFF, id: 0)
            editor?.setTransportSequence(0xFFFF, id: 9)
            // Too short for a sequence number: left alone.
            editor?.setTransportSequence(0xFFFF, id: 1)
        }
        #expect(edited == expected)
        var garbage: [UInt8] = [1, 2, 3]
        garbage.withUnsafeMutableBytes { #expect(RTPPacketEditor($0) == nil) }
    }
}
