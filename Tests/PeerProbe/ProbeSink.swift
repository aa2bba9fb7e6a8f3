import Codecs
import Devices
import JSONText
import MediaTransport
import MediaTypes
import PeerConnection

/// Hears and sees what the far side sends, line by line.
///
/// - Thread: `cb-net`.
final class ProbeSink: PeerConnectionMediaSink {
    private final class AudioLine {
        let decoder: OpusDecoder
        var packets = 0
        var meter = ToneMeter()

        init() throws(CodecError) {
            decoder = try OpusDecoder()
        }
    }

    private final class VideoLine {
        let decoder: VP8Decoder
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        var frames = 0
        var keyFrames = 0
        var pictures = 0
        var undecodable = 0
        /// Different frame counters that were read.
        var numbers = Set<Int>()
        var lastNumber: Int?

        init() throws(CodecError) {
            decoder = try VP8Decoder()
        }
    }

    private var audio: [Int: AudioLine] = [:]
    private var video: [Int: VideoLine] = [:]
    private var samples = [Int16](repeating: 0, count: OpusDecoder.maximumFrames)

    func received(audio packet: ReceivedAudioPacket, line: Int) {
        if audio[line] == nil { audio[line] = try? AudioLine() }
        guard let state = audio[line] else { return }
        state.packets += 1
        let count = samples.withUnsafeMutableBufferPointer { state.decoder.decode(packet.payload, into: $0) }
        state.meter.add(samples.prefix(count))
    }

    func received(video frame: ReceivedVideoFrame, line: Int) {
        if video[line] == nil { video[line] = try? VideoLine() }
        guard let state = video[line] else { return }
        state.frames += 1
        if frame.isKeyFrame { state.keyFrames += 1 }
        do throws(CodecError) {
            guard try state.decoder.decode(frame.bytes, into: state.picture) else { return }
            state.pictures += 1
            if let number = FrameCounterCode.read(from: state.picture) {
                state.numbers.insert(number)
                state.lastNumber = number
            }
        } catch {
            state.undecodable += 1
        }
    }

    var report: JSONValue {
        var lines: [String: JSONValue] = [:]
        for (line, state) in audio {
            let tone = state.meter.strongest
            lines[String(line)] = [
                "kind": "audio", "packets": .integer(Int64(state.packets)),
                "tone": .integer(Int64(tone?.frequency ?? 0)), "share": .number(tone?.share ?? 0),
            ]
        }
        for (line, state) in video {
            lines[String(line)] = [
                "kind": "video", "frames": .integer(Int64(state.frames)),
                "keyframes": .integer(Int64(state.keyFrames)), "pictures": .integer(Int64(state.pictures)),
                "undecodable": .integer(Int64(state.undecodable)), "counted": .integer(Int64(state.numbers.count)),
                "last": state.lastNumber.map { .integer(Int64($0)) } ?? .null,
                "width": .integer(Int64(state.picture.size.width)),
                "height": .integer(Int64(state.picture.size.height)),
            ]
        }
        return .object(lines)
    }
}
