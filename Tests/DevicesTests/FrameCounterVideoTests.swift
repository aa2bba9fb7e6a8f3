import Codecs
import MediaTypes
import Testing

@testable import Devices

/// The frame counter behind a real encoder, scaler and compositor.
@Suite struct FrameCounterVideoTests {
    @Test func theCounterSurvivesVP8At200KilobitsAndScalingAndTheGrid() throws {
        let size = PictureSize(width: 640, height: 480)
        let painter = TestPatternPainter(size: size, framesPerSecond: 30)
        let encoder = try VP8Encoder(size: size, bitrate: .kilobitsPerSecond(200), framesPerSecond: 30)
        let decoder = try VP8Decoder()
        let source = Picture(size: size)
        let decoded = Picture(size: size)
        let small = Picture(size: PictureSize(width: 160, height: 120))
        let compositor = Compositor(size: size)
        compositor.tileCount = 9
        let tile = compositor.rectangle(of: 4)
        var byteCount = 0
        var frameCount = 0
        for number in 0..<150 {
            painter.paint(Int64(number), into: source)
            guard let frame = try encoder.encode(source, timestamp: RTPTimestamp(UInt32(number * 3_000))) else {
                continue
            }
            byteCount += frame.bytes.count
            frameCount += 1
            guard try decoder.decode(frame.bytes, into: decoded) else {
                Issue.record("frame \(number) is not decoded")
                continue
            }
            #expect(FrameCounterCode.read(from: decoded) == number)
            PictureScaler.scale(decoded, into: small)
            #expect(FrameCounterCode.read(from: small) == number)
            _ = compositor.draw(decoded, tile: 4)
            let inner = tile.fitting(size)
            #expect(
                FrameCounterCode.read(from: compositor.picture, x: inner.x, y: inner.y, size: inner.size) == number)
        }
        #expect(frameCount > 100)
        #expect(byteCount * 8 / 5 < 300_000, "\(byteCount * 8 / 5) bit/s")
    }

    @Test func writeAPictureOfThePatternWhenAsked() throws {
        guard let folder = environment("CALLBOX_PATTERN_FOLDER") else { return }
        for (width, height) in [(640, 480), (320, 240), (1_280, 720)] {
            let size = PictureSize(width: width, height: height)
            let picture = Picture(size: size)
            TestPatternPainter(size: size, framesPerSecond: 30).paint(40, into: picture)
            try PNGWriter().write(picture, to: "\(folder)/pattern-\(width)x\(height).png")
        }
    }
}
