import MediaTypes
import Testing

@testable import RTPWire

@Suite struct VP8PayloadTests {
    /// The layouts of RFC 7741 §4.2.
    @Test(arguments: [
        ("10", 1, nil, nil, nil), ("00", 1, nil, nil, nil), ("90 80 11", 3, 0x11, nil, nil),
        ("90 80 80 11", 4, 0x11, nil, nil), ("90 80 FF FF", 4, 0x7FFF, nil, nil),
        ("90 C0 92 34 07", 5, 0x1234, 7, nil), ("90 E0 92 34 07 60", 6, 0x1234, 7, 1),
        ("90 20 C0", 3, nil, nil, 3), ("90 10 1F", 3, nil, nil, nil), ("90 00", 2, nil, nil, nil),
    ])
    func descriptorsAreRead(text: String, byteCount: Int, pictureID: UInt16?, index: UInt8?, layer: UInt8?) {
        withExactBytes(bytes(text)) { buffer in
            let parsed = VP8PayloadDescriptor.parse(buffer)
            #expect(parsed?.byteCount == byteCount)
            #expect(parsed?.descriptor.pictureID == pictureID)
            #expect(parsed?.descriptor.tl0PictureIndex == index)
            #expect(parsed?.descriptor.temporalLayer == layer)
        }
        for length in 0..<byteCount {
            withExactBytes(bytes(text).prefix(length)) { #expect(VP8PayloadDescriptor.parse($0) == nil) }
        }
    }

    @Test func firstPartitionStartsTheFrame() {
        for (text, starts) in [("10", true), ("11", false), ("00", false)] {
            withExactBytes(bytes(text)) { #expect(VP8PayloadDescriptor.parse($0)?.descriptor.startsFrame == starts) }
        }
    }

    @Test func descriptorsAreReadBackAsWritten() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var descriptor = VP8PayloadDescriptor(startsPartition: .random(using: &generator))
            descriptor.isNonReference = .random(using: &generator)
            descriptor.partitionIndex = .random(in: 0...7, using: &generator)
            if Bool.random(using: &generator) { descriptor.pictureID = .random(in: 0...0x7FFF, using: &generator) }
            if Bool.random(using: &generator) { descriptor.tl0PictureIndex = .random(in: 0...255, using: &generator) }
            if Bool.random(using: &generator) {
                descriptor.temporalLayer = .random(in: 0...3, using: &generator)
                descriptor.isLayerSync = .random(using: &generator)
            }
            if Bool.random(using: &generator) { descriptor.keyFrameIndex = .random(in: 0...31, using: &generator) }
            let packet = written { buffer in
                var writer = ByteWriter(buffer)
                descriptor.write(to: &writer)
                return writer.count
            }
            #expect(packet.count == descriptor.byteCount, "seed \(seed)")
            withExactBytes(packet) { buffer in
                let parsed = VP8PayloadDescriptor.parse(buffer)
                #expect(parsed?.descriptor == descriptor, "seed \(seed)")
                #expect(parsed?.byteCount == packet.count, "seed \(seed)")
            }
        }
    }

    @Test func keyFramesTellTheirSize() {
        // 640x480, with scaling bits set that are no part of the size.
        withExactBytes(bytes("10 02 00 9D012A 8042 E081")) { buffer in
            let header = VP8FrameHeader(buffer)
            #expect(header?.isKeyFrame == true)
            #expect(header?.size == PictureSize(width: 640, height: 480))
            #expect(VP8FrameHeader.isKeyFrame(buffer))
        }
        withExactBytes(bytes("11 02 00")) { buffer in
            #expect(VP8FrameHeader(buffer)?.isKeyFrame == false)
            #expect(VP8FrameHeader(buffer)?.size == nil)
            #expect(!VP8FrameHeader.isKeyFrame(buffer))
        }
    }

    @Test(arguments: [
        "", "10", "10 02", "10 02 00", "10 02 00 9D012A 8042 E0", "10 02 00 9D012B 8042 E081",
        "10 02 00 9D012A 0040 E081", "10 02 00 9D012A 8042 0080",
    ])
    func brokenKeyFramesAreRefused(text: String) {
        withExactBytes(bytes(text)) { #expect(VP8FrameHeader($0) == nil) }
    }
}

@Suite struct OpusPayloadTests {
    private func payload(_ packet: [UInt8]) -> OpusPayload? {
        withExactBytes(packet) { OpusPayload($0) }
    }

    private func packet(_ toc: UInt8, zeros: Int) -> [UInt8] {
        [toc] + [UInt8](repeating: 0, count: zeros)
    }

    /// RFC 6716 table 2: mode and duration by configuration number.
    @Test func everyConfigurationHasItsDuration() {
        let expected = [480, 960, 1_920, 2_880]
        for configuration in 0..<32 {
            let parsed = payload([UInt8(configuration << 3), 0])
            switch configuration {
            case 0..<12:
                #expect(parsed?.mode == .silk)
                #expect(parsed?.frameTicks == expected[configuration % 4])
            case 12..<16:
                #expect(parsed?.mode == .hybrid)
                #expect(parsed?.frameTicks == expected[configuration % 2])
            default:
                #expect(parsed?.mode == .celt)
                #expect(parsed?.frameTicks == [120, 240, 480, 960][configuration % 4])
            }
        }
    }

    @Test func frameCountsFollowTheCode() {
        let toc: UInt8 = 1 << 3  // SILK, 20 ms
        #expect(payload([toc])?.frameCount == 1)
        #expect(payload([toc | 1, 1, 2])?.frameCount == 2)
        #expect(payload([toc | 2, 1, 7, 8, 9])?.frameCount == 2)
        #expect(payload([toc | 3, 3, 1, 2, 3])?.frameCount == 3)
        #expect(payload([toc | 3, 0x82, 1, 7, 8, 9])?.frameCount == 2)
        #expect(payload([toc | 3, 0x41, 2, 7, 0, 0])?.frameCount == 1)
        #expect(payload([toc | 3, 6])?.durationTicks == 5_760)
        #expect(payload([toc | 4, 9])?.isStereo == true)
    }

    @Test(arguments: [
        "", "09 01",  // two equal frames need an even number of bytes
        "0A", "0A 05 01", "0A FC",  // first frame's length is missing or too long
        "0B", "0B 00",  // no count, no frame
        "0B 07",  // 140 ms
        "0B 03 0102",  // not divisible
        "0B 41", "0B 41 05 01", "0B 41 FF FF",  // padding longer than the packet
        "0B 82", "0B 83 01 05",  // lengths missing
    ])
    func brokenFramingIsRefused(text: String) {
        #expect(payload(bytes(text)) == nil)
    }

    @Test func framesAreAtMost1275Bytes() {
        #expect(payload(packet(8, zeros: 1_275)) != nil)
        #expect(payload(packet(8, zeros: 1_276)) == nil)
        #expect(payload(packet(9, zeros: 2 * 1_276)) == nil)
    }

    @Test func shortPacketsAreDTX() {
        #expect(payload([8])?.isDTX == true)
        #expect(payload([8, 0])?.isDTX == true)
        #expect(payload([8, 0, 0])?.isDTX == false)
    }

    @Test func theFECBitStandsBehindTheVoiceBits() {
        // 20 ms SILK mono: voice, FEC.
        #expect(payload([8, 0x40, 0])?.hasFEC == true)
        #expect(payload([8, 0x80, 0])?.hasFEC == false)
        // Stereo: voice, FEC, voice, FEC.
        #expect(payload([0x0C, 0x10, 0])?.hasFEC == true)
        #expect(payload([0x0C, 0xA0, 0])?.hasFEC == false)
        // 60 ms: three voice bits first.
        #expect(payload([0x18, 0x10, 0])?.hasFEC == true)
        #expect(payload([0x18, 0xE0, 0])?.hasFEC == false)
        // Hybrid has it, CELT has not.
        #expect(payload([0x78, 0x40, 0])?.hasFEC == true)
        #expect(payload([0xF8, 0xFF, 0])?.hasFEC == false)
        // No frame, no FEC.
        #expect(payload([8])?.hasFEC == false)
    }
}
