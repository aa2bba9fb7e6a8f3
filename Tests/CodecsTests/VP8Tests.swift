import MediaTypes
import Realtime
import Testing

@testable import Codecs

@Suite struct VP8Tests {
    private static let vga = PictureSize(width: 640, height: 480)

    private func timestamp(_ number: Int) -> RTPTimestamp { RTPTimestamp(UInt32(truncatingIfNeeded: number * 3_000)) }

    /// Encodes a moving scene; frames are copied out of the encoder.
    private func encodeScene(
        _ numbers: Range<Int>, with encoder: VP8Encoder, size: PictureSize, keyFrameAt: Int? = nil
    ) throws -> [(bytes: [UInt8], isKeyFrame: Bool)?] {
        let picture = Picture(size: size)
        var frames: [(bytes: [UInt8], isKeyFrame: Bool)?] = []
        for number in numbers {
            drawScene(number, in: picture)
            let frame = try encoder.encode(
                picture, timestamp: timestamp(number), forceKeyFrame: number == keyFrameAt)
            frames.append(frame.map { (Array($0.bytes), $0.isKeyFrame) })
        }
        return frames
    }

    @Test(.timeLimit(.minutes(5))) func aMovingSceneSurvivesOneMegabitAtVGA() throws {
        let rate = Bitrate.kilobitsPerSecond(1_000)
        let encoder = try VP8Encoder(size: VP8Tests.vga, bitrate: rate, framesPerSecond: 30)
        let decoder = try VP8Decoder()
        let (source, decoded) = (Picture(size: VP8Tests.vga), Picture(size: PictureSize(width: 16, height: 16)))
        var (sum, least, count, bytes) = (0.0, 99.0, 0, 0)
        for number in 0..<90 {
            drawScene(number, in: source)
            guard let frame = try encoder.encode(source, timestamp: timestamp(number)) else { continue }
            #expect(frame.isKeyFrame == (number == 0))
            #expect(frame.timestamp == timestamp(number))
            bytes += frame.bytes.count
            #expect(try decoder.decode(frame.bytes, into: decoded))
            guard number >= 15 else { continue }
            let decibels = lumaPSNR(source, decoded)
            sum += decibels
            least = min(least, decibels)
            count += 1
        }
        print("VGA at 1 Mbit/s: mean \(sum / Double(count)) dB, least \(least) dB, \(bytes * 8 / 3_000) kbit/s")
        #expect(count >= 70)
        #expect(sum / Double(count) >= 32)
        #expect(bytes * 8 / 3 < 1_250_000)
        #expect(decoded.size == VP8Tests.vga && decoder.malformedCount == 0)
    }

    @Test(.timeLimit(.minutes(5))) func aBitrateSetWhileRunningIsFollowed() throws {
        let size = PictureSize(width: 320, height: 240)
        let encoder = try VP8Encoder(size: size, bitrate: .kilobitsPerSecond(600), framesPerSecond: 30)
        func rate(_ numbers: Range<Int>) throws -> Int {
            var bytes = 0
            for frame in try encodeScene(numbers, with: encoder, size: size) { bytes += frame?.bytes.count ?? 0 }
            return bytes * 8 * 30 / numbers.count / 1_000
        }
        _ = try rate(0..<60)
        let high = try rate(60..<150)
        encoder.setBitrate(.kilobitsPerSecond(150))
        _ = try rate(150..<180)
        let low = try rate(180..<270)
        encoder.setBitrate(.kilobitsPerSecond(600))
        _ = try rate(270..<300)
        let again = try rate(300..<390)
        print("600 → \(high), 150 → \(low), 600 → \(again) kbit/s, \(encoder.droppedCount) dropped")
        #expect((450...700).contains(high))
        #expect((100...190).contains(low))
        #expect((450...700).contains(again))
    }

    @Test func aKeyFrameComesAtOnceWhenAskedForAndOnlyThen() throws {
        let size = PictureSize(width: 320, height: 240)
        let encoder = try VP8Encoder(size: size, bitrate: .kilobitsPerSecond(500), framesPerSecond: 30)
        let frames = try encodeScene(0..<160, with: encoder, size: size, keyFrameAt: 40)
        let keys = frames.indices.filter { frames[$0]?.isKeyFrame == true }
        #expect(keys == [0, 40])
    }

    @Test func anotherSizeStartsANewStreamWithAKeyFrame() throws {
        let sizes = [
            PictureSize(width: 320, height: 240), PictureSize(width: 640, height: 360),
            PictureSize(width: 175, height: 143),
        ]
        let encoder = try VP8Encoder(size: sizes[0], bitrate: .kilobitsPerSecond(800), framesPerSecond: 30)
        let decoder = try VP8Decoder()
        let decoded = Picture(size: PictureSize(width: 16, height: 16))
        for (index, size) in (sizes + sizes.reversed()).enumerated() {
            let picture = Picture(size: size)
            let wasSize = encoder.size
            for number in 0..<5 {
                drawScene(number, in: picture)
                let frame = try #require(try encoder.encode(picture, timestamp: timestamp(index * 5 + number)))
                #expect(frame.isKeyFrame == (number == 0 && (index == 0 || wasSize != size)))
                #expect(try decoder.decode(frame.bytes, into: decoded))
                #expect(decoded.size == size)
            }
            #expect(lumaPSNR(picture, decoded) > 28)
        }
    }

    @Test func nothingIsShownBeforeAKeyFrameOrAfterDamageUntilTheNext() throws {
        let size = PictureSize(width: 320, height: 240)
        let encoder = try VP8Encoder(size: size, bitrate: .kilobitsPerSecond(500), framesPerSecond: 30)
        let frames = try encodeScene(0..<12, with: encoder, size: size, keyFrameAt: 8).map { try #require($0).bytes }
        let decoder = try VP8Decoder()
        let picture = Picture(size: size)
        func isShown(_ bytes: [UInt8]) throws -> Bool {
            try bytes.withUnsafeBytes { try decoder.decode($0, into: picture) }
        }
        #expect(try !isShown(frames[1]) && decoder.needsKeyFrame)
        #expect(try isShown(frames[0]) && !decoder.needsKeyFrame)
        #expect(try isShown(frames[1]))
        #expect(throws: CodecError.malformed) { try isShown(Array(frames[2].prefix(2))) }
        #expect(decoder.needsKeyFrame && decoder.malformedCount == 1)
        #expect(try !isShown(frames[3]))
        #expect(try isShown(frames[8]))
        decoder.skip()
        #expect(try !isShown(frames[9]))
        #expect(decoder.pictureCount == 3)
    }

    @Test func aKeyFrameOfHostileSizeIsRefusedBeforeMemoryIsTaken() throws {
        // Frame tag of a shown key frame, start code, 16383 by 16383 pixels (RFC 6386 §9.1).
        let bytes: [UInt8] =
            [0x10, 0x02, 0x00, 0x9D, 0x01, 0x2A, 0xFF, 0x3F, 0xFF, 0x3F] + [UInt8](repeating: 0, count: 90)
        let decoder = try VP8Decoder()
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        #expect(throws: CodecError.unsupportedSize(width: 16_383, height: 16_383)) {
            try bytes.withUnsafeBytes { try decoder.decode($0, into: picture) }
        }
    }

    @Test func impossibleSizesAreRefusedByTheEncoder() {
        #expect(throws: CodecError.unsupportedSize(width: 8, height: 8)) {
            try VP8Encoder(
                size: PictureSize(width: 8, height: 8), bitrate: .kilobitsPerSecond(100), framesPerSecond: 30)
        }
    }

    @Test(.timeLimit(.minutes(5))) func hostileFramesNeverCrash() throws {
        let seed = SeededRandom.newSeed()
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let size = PictureSize(width: 176, height: 144)
        let encoder = try VP8Encoder(size: size, bitrate: .kilobitsPerSecond(300), framesPerSecond: 30)
        let real = try encodeScene(0..<30, with: encoder, size: size, keyFrameAt: 15).compactMap { $0?.bytes }
        let decoder = try VP8Decoder()
        let picture = Picture(size: size)
        for round in 0..<3_000 {
            var bytes: [UInt8]
            switch round % 4 {
            case 0:
                bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            case 1:
                bytes = real[round % real.count]
                bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            default:
                bytes = real[Bool.random(using: &random) ? 0 : round % real.count]
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    // Mostly the headers: there the damage is largest.
                    let end = Bool.random(using: &random) ? min(40, bytes.count) : bytes.count
                    bytes[Int.random(in: 0..<end, using: &random)] = .random(in: 0...255, using: &random)
                }
            }
            _ = try? bytes.withUnsafeBytes { try decoder.decode($0, into: picture) }
        }
        #expect(decoder.malformedCount > 0)
        let isShown = try real[0].withUnsafeBytes { try decoder.decode($0, into: picture) }
        #expect(isShown && picture.size == size)
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func memoryThatLibvpxOnlyClearsIsGivenBack() throws {
        ProcessMemory.limitArenas()
        let encoder = try VP8Encoder(size: VP8Tests.vga, bitrate: .kilobitsPerSecond(500), framesPerSecond: 30)
        #expect(encoder.reclaimedBytes > 7_000_000)
        let frames = try encodeScene(0..<5, with: encoder, size: VP8Tests.vga)
        #expect(frames.allSatisfy { $0 != nil })
    }

    @Test(.enabled(if: AllocationCounter.isActive)) func encodingAndDecodingAllocateNothing() throws {
        let encoder = try VP8Encoder(
            size: PictureSize(width: 320, height: 240), bitrate: .kilobitsPerSecond(400), framesPerSecond: 30)
        let decoder = try VP8Decoder()
        let pictures = (0..<8).map { number in
            let picture = Picture(size: encoder.size)
            drawScene(number, in: picture)
            return picture
        }
        let decoded = Picture(size: encoder.size)
        var number = 0
        func work() throws(CodecError) {
            for round in 0..<40 {
                number += 1
                if round % 10 == 9 { encoder.setBitrate(.kilobitsPerSecond(300 + round)) }
                let frame = try encoder.encode(
                    pictures[number % 8], timestamp: RTPTimestamp(UInt32(number * 3_000)), forceKeyFrame: round == 20)
                if let frame { _ = try decoder.decode(frame.bytes, into: decoded) }
            }
        }
        try work()
        #expect(try AllocationCounter.count(in: work) == 0)
    }
}
