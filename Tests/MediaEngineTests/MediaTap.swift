import Codecs
import Devices
import MediaEngine
import MediaTypes
import Realtime

/// Takes what an engine would send, as the network thread does, decodes it, and keeps what a test needs to know of it.
// @unchecked: used by one test at a time, which waits for the thread.
final class MediaTap: @unchecked Sendable {
    struct AudioPacket {
        var arrival: MonotonicTime
        var timestamp: Int64
        var hasMarker: Bool
        var levelDBov: Int
        var samples: [Int16]

        var isSilent: Bool { samples.allSatisfy { $0 == 0 } }
    }

    struct VideoFrame {
        var arrival: MonotonicTime
        var isKeyFrame: Bool
        var size: PictureSize
        /// The frame counter of the test pattern.
        var counter: Int?
        /// Mean red chroma of the middle half: over 150 for variant 2 of the test pattern.
        var redChroma: Int
        /// Luma at the left edge, half way down.
        var edgeLuma: UInt8
    }

    let engine: MediaEngine
    private(set) var audio: [AudioPacket] = []
    private(set) var video: [VideoFrame] = []
    private let audioDecoder: OpusDecoder
    private let videoDecoder: VP8Decoder
    private let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: OpusDecoder.maximumFrames)
    private let picture = Picture(size: PictureSize(width: 16, height: 16))

    /// - Parameter prepare: before the threads start.
    init(_ settings: MediaEngineSettings, prepare: (MediaEngine) -> Void = { _ in }) throws {
        engine = try MediaEngine(settings: settings, registry: DeviceRegistry())
        audioDecoder = try OpusDecoder()
        videoDecoder = try VP8Decoder()
        prepare(engine)
        try engine.start()
        engine.setNeeded(true)
    }

    deinit {
        samples.deallocate()
    }

    /// Takes what comes for a while, on a thread of its own: the shared pool must not wait.
    func run(milliseconds: Int64) async {
        let end = MonotonicClock.now() + .milliseconds(milliseconds)
        await TestThread.run { [self] in
            while MonotonicClock.now() < end { takeWaiting() }
        }
    }

    /// Takes what comes until the condition holds; false when it did not within 10 s.
    func run(until condition: @escaping @Sendable (MediaTap) -> Bool) async -> Bool {
        let end = MonotonicClock.now() + .seconds(10)
        return await TestThread.run { [self] in
            while MonotonicClock.now() < end {
                takeWaiting()
                if condition(self) { return true }
            }
            return false
        }
    }

    func forget() {
        audio = []
        video = []
    }

    private func takeWaiting() {
        _ = engine.outgoingSignal.wait(timeoutMilliseconds: 5)
        while let (header, payload) = engine.capture?.packets.read() {
            let count = audioDecoder.decode(payload, into: samples)
            audio.append(
                AudioPacket(
                    arrival: MonotonicClock.now(), timestamp: header.timestamp, hasMarker: header.flags & 2 != 0,
                    levelDBov: Int(header.value), samples: Array(samples[..<count])))
            engine.capture?.packets.consume()
        }
        while let (header, payload) = engine.encoding?.frames.read() {
            let isShown = (try? videoDecoder.decode(payload, into: picture)) ?? false
            if isShown { video.append(frame(isKeyFrame: header.flags & 1 != 0)) }
            engine.encoding?.frames.consume()
        }
    }

    private func frame(isKeyFrame: Bool) -> VideoFrame {
        var sum = 0
        var count = 0
        for row in picture.chromaHeight / 4..<picture.chromaHeight * 3 / 4 {
            for column in picture.chromaWidth / 4..<picture.chromaWidth * 3 / 4 {
                sum += Int(picture.redChroma[row * picture.chromaStride + column])
                count += 1
            }
        }
        return VideoFrame(
            arrival: MonotonicClock.now(), isKeyFrame: isKeyFrame, size: picture.size,
            counter: FrameCounterCode.read(from: picture), redChroma: sum / max(1, count),
            edgeLuma: picture.luma[picture.size.height / 2 * picture.lumaStride])
    }
}
