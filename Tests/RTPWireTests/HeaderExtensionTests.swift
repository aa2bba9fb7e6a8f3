import MediaTypes
import Testing

@testable import RTPWire

@Suite struct HeaderExtensionTests {
    static let map = HeaderExtensionMap(
        audioLevel: 1, absSendTime: 2, transportSequence: 3, mid: 4, absCaptureTime: 5)

    private func elements(_ profile: UInt16, _ hexadecimal: String) -> [String] {
        withExactBytes(bytes(hexadecimal)) { buffer in
            HeaderExtensionElements(profile: profile, bytes: buffer)
                .map { "\($0.id):\($0.value.map { String($0, radix: 16) }.joined(separator: "."))" }
        }
    }

    /// The example of RFC 8285 §4.2: three elements with padding between them.
    @Test func oneByteElementsAreWalkedOverPadding() {
        #expect(elements(0xBEDE, "10 AA 21 BB CC 00 00 33 01 02 03 04") == ["1:aa", "2:bb.cc", "3:1.2.3.4"])
    }

    @Test func identifierFifteenEndsTheOneByteForm() {
        #expect(elements(0xBEDE, "10 AA F0 BB 20 CC") == ["1:aa"])
    }

    @Test func identifierZeroWithALengthEndsTheOneByteForm() {
        #expect(elements(0xBEDE, "10 AA 01 BB CC 20 DD") == ["1:aa"])
    }

    @Test func aCutOffElementEndsTheWalk() {
        #expect(elements(0xBEDE, "10 AA 23 BB CC") == ["1:aa"])
        #expect(elements(0x1000, "01 01 AA 02") == ["1:aa"])
        #expect(elements(0x1000, "01 01 AA 02 03 BB") == ["1:aa"])
    }

    /// The example of RFC 8285 §4.3, and application bits in the profile.
    @Test(arguments: [UInt16(0x1000), 0x100F]) func twoByteElementsMayBeEmptyAndHaveHighIdentifiers(profile: UInt16) {
        #expect(elements(profile, "01 00 02 01 BB 00 0F 02 01 02 FF 01 CC") == ["1:", "2:bb", "15:1.2", "255:cc"])
    }

    @Test func otherProfilesHaveNoElements() {
        #expect(elements(0xABAC, "10 AA 10 AA").isEmpty)
    }

    private func roundTrip(
        _ values: HeaderExtensionValues, map: HeaderExtensionMap,
        _ check: (HeaderExtensionValues, RTPPacketView) -> Void
    ) {
        let packet = written { buffer in
            var writer = RTPPacketWriter(into: buffer, header: RTPPacketTests.header, extensions: values, map: map)
            withExactBytes([9, 8, 7]) { writer.appendPayload($0) }
            return writer.finishedByteCount ?? 0
        }
        withExactBytes(packet) { buffer in
            guard let view = RTPPacketView(buffer) else {
                Issue.record("the packet that was written is refused")
                return
            }
            #expect(Array(view.payload) == [9, 8, 7])
            #expect(view.headerByteCount % 4 == 0)
            check(HeaderExtensionValues(view, map: map), view)
        }
    }

    @Test func allValuesAreReadBack() {
        withExactBytes("video-1".utf8) { mid in
            var values = HeaderExtensionValues()
            values.audioLevel = AudioLevel(minusDBov: 42, hasVoice: true)
            values.absSendTime = 0x12_3456
            values.transportSequence = 0xFFFF
            values.mid = mid
            values.absCaptureTime = AbsoluteCaptureTime(captureTime: NTPTime(0x0102_0304_0506_0708), clockOffset: -5)
            for map in [
                Self.map,
                HeaderExtensionMap(audioLevel: 15, absSendTime: 2, transportSequence: 255, mid: 4, absCaptureTime: 20),
            ] {
                roundTrip(values, map: map) { read, view in
                    #expect(read.audioLevel == values.audioLevel)
                    #expect(read.absSendTime == 0x12_3456)
                    #expect(read.transportSequence == 0xFFFF)
                    #expect(read.mid.map { Array($0) } == Array("video-1".utf8))
                    #expect(read.absCaptureTime == values.absCaptureTime)
                    #expect(view.extensionValue(id: map.transportSequence).map { Array($0) } == [0xFF, 0xFF])
                    #expect(view.extensionValue(id: 0) == nil)
                }
            }
        }
    }

    @Test func theFormIsOneByteUnlessSomethingNeedsTwo() {
        func profile(_ values: HeaderExtensionValues, _ map: HeaderExtensionMap) -> UInt16 {
            let packet = written {
                RTPPacketWriter(into: $0, header: RTPPacketTests.header, extensions: values, map: map)
                    .finishedByteCount ?? 0
            }
            return UInt16(packet[12]) << 8 | UInt16(packet[13])
        }
        var values = HeaderExtensionValues()
        values.transportSequence = 1
        #expect(profile(values, HeaderExtensionMap(transportSequence: 14)) == 0xBEDE)
        #expect(profile(values, HeaderExtensionMap(transportSequence: 15)) == 0x1000)
        for (length, expected) in [(0, UInt16(0x1000)), (1, 0xBEDE), (16, 0xBEDE), (17, 0x1000), (255, 0x1000)] {
            withExactBytes([UInt8](repeating: 65, count: length)) { mid in
                var values = HeaderExtensionValues()
                values.mid = mid
                #expect(profile(values, HeaderExtensionMap(mid: 4)) == expected)
                roundTrip(values, map: HeaderExtensionMap(mid: 4)) { read, _ in
                    #expect(read.mid?.count == (length == 0 ? nil : length))
                }
            }
        }
    }

    @Test func valuesThatWereNotNegotiatedAreNotSent() {
        var values = HeaderExtensionValues()
        values.transportSequence = 1
        let packet = written {
            RTPPacketWriter(into: $0, header: RTPPacketTests.header, extensions: values).finishedByteCount ?? 0
        }
        #expect(packet.count == 12)
        #expect(packet[0] == 0x80)
    }

    @Test func valuesOfAnImpossibleLengthAreLeftOut() {
        // Send time of 2 bytes, sequence of 1, capture time of 4.
        let packet = bytes("90 60 0001 00000002 00000003 BEDE 0003 21 0102 30 01 53 01020304 00 00")
        withExactBytes(packet) { buffer in
            guard let view = RTPPacketView(buffer) else {
                Issue.record("the packet is well-formed")
                return
            }
            let values = HeaderExtensionValues(view, map: Self.map)
            #expect(values.absSendTime == nil)
            #expect(values.transportSequence == nil)
            #expect(values.absCaptureTime == nil)
        }
    }

    @Test func theMapTakesWhatItKnowsAndSaysSo() {
        var map = HeaderExtensionMap()
        #expect(map.assign(1, uri: HeaderExtensionURI.audioLevel) == true)
        #expect(map.assign(2, uri: HeaderExtensionURI.absSendTime) == true)
        #expect(map.assign(3, uri: HeaderExtensionURI.transportSequence) == true)
        #expect(map.assign(4, uri: HeaderExtensionURI.mid) == true)
        #expect(map.assign(5, uri: HeaderExtensionURI.absCaptureTime) == true)
        #expect(map.assign(6, uri: "urn:3gpp:video-orientation") == false)
        #expect(map == Self.map)
    }
}
