import Codecs
import Devices
import Glibc
import MediaTypes
import PeerConnection
import Realtime

/// What the probe publishes: a tone every 20 ms and a counted picture fifteen times a second, encoded once for all lines.
///
/// - Thread: `cb-net`.
final class ProbeSource {
    private static let framesPerSecond: Int64 = 15
    private let frequency: Double
    private let audioEncoder: OpusEncoder
    private let videoEncoder: VP8Encoder
    private let picture = Picture(size: PictureSize(width: 320, height: 240))
    private let connection: PeerConnection
    private var audioTimer: NetworkTimer?
    private var videoTimer: NetworkTimer?
    private var packetNumber: Int64 = 0
    private var pictureNumber: Int64 = 0
    private let start = MonotonicClock.now()
    private var isKeyFrameWanted = true

    init(loop: NetworkLoop, connection: PeerConnection, frequency: Double) throws(CodecError) {
        self.connection = connection
        self.frequency = frequency
        audioEncoder = try OpusEncoder()
        videoEncoder = try VP8Encoder(
            size: picture.size, bitrate: .kilobitsPerSecond(300), framesPerSecond: Int(ProbeSource.framesPerSecond))
        audioTimer = loop.makeTimer { [unowned self] in self.sendAudio() }
        videoTimer = loop.makeTimer { [unowned self] in self.sendVideo() }
        audioTimer?.set(start)
        videoTimer?.set(start)
    }

    func stop() {
        audioTimer?.cancel()
        videoTimer?.cancel()
    }

    func wantKeyFrame() {
        isKeyFrameWanted = true
    }

    func allow(_ rate: Bitrate) {
        videoEncoder.setBitrate(min(max(rate, .kilobitsPerSecond(100)), .kilobitsPerSecond(500)))
    }

    private func sendAudio() {
        let first = packetNumber * 960
        let samples = (0..<960).map { offset in
            Int16(8_000 * sin(2 * Double.pi * frequency * Double(first + offset) / 48_000))
        }
        withUnsafeTemporaryAllocation(byteCount: OpusEncoder.maximumPacketBytes, alignment: 1) { packet in
            guard let count = try? samples.withUnsafeBufferPointer({ try audioEncoder.encode($0, into: packet) }),
                count > 0
            else { return }
            for line in connection.negotiatedLines where line.kind == .audio && line.sends {
                connection.sendAudio(
                    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(packet)[..<count]), line: line.index,
                    timestamp: RTPTimestamp(UInt32(truncatingIfNeeded: first)), marker: packetNumber == 0,
                    audioLevelDBov: 15, voiceActivity: true, at: MonotonicClock.now())
            }
        }
        packetNumber += 1
        audioTimer?.set(start + .milliseconds(20) * packetNumber)
    }

    private func sendVideo() {
        picture.fillBlack()
        let bar = Int(pictureNumber * 3 % 280)
        for row in 100..<140 {
            picture.luma.advanced(by: row * picture.lumaStride + bar).update(repeating: 200, count: 40)
        }
        FrameCounterCode.draw(pictureNumber, in: picture)
        let timestamp = RTPTimestamp(UInt32(truncatingIfNeeded: pictureNumber * 90_000 / ProbeSource.framesPerSecond))
        if let frame = try? videoEncoder.encode(picture, timestamp: timestamp, forceKeyFrame: isKeyFrameWanted) {
            isKeyFrameWanted = false
            for line in connection.negotiatedLines where line.kind == .video && line.sends {
                connection.sendVideo(
                    frame.bytes, line: line.index, timestamp: frame.timestamp, isKeyFrame: frame.isKeyFrame,
                    at: MonotonicClock.now())
            }
        }
        pictureNumber += 1
        videoTimer?.set(start + .nanoseconds(1_000_000_000 / ProbeSource.framesPerSecond) * pictureNumber)
    }
}
