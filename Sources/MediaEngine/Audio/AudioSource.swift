import Codecs
import MediaTransport
import MediaTypes
import Realtime
import Synchronization

/// One remote stream's audio on its way to the speaker.
///
/// ```
/// cb-net: RTP payload ─▶ ring ─▶ cb-play: jitter buffer ─▶ Opus (or FEC, or concealment) ─▶ 10 ms into the mix
/// ```
/// - Thread: `receive` on `cb-net`, `mixPeriod` on `cb-play`, counters from anywhere.
// @unchecked: the ring orders what crosses threads, counters are atomic, everything else belongs to cb-play.
package final class AudioSource: @unchecked Sendable {
    /// Opus frames are 20 ms: 960 frames at 48 kHz. A sender may choose up to 120 ms.
    static let longestFrame = 5_760
    /// Holds about 2 s of packets at 64 kbit/s, far more than the jitter buffer keeps.
    static let ringBytes = 32 * 1_024

    private let ring: RecordRing
    private let jitterBuffer: AudioJitterBuffer
    private let decoder: OpusDecoder
    private let decoded: UnsafeMutableBufferPointer<Int16>
    private var decodedCount = 0
    private var readPosition = 0

    private let playedFrames = Atomic<Int>(0)
    private let concealedFrames = Atomic<Int>(0)
    private let recoveredFrames = Atomic<Int>(0)
    private let decodeErrors = Atomic<Int>(0)
    private let level = Atomic<Int>(Int(AudioLoudness.silence))
    private let targetDelay = Atomic<Int>(0)
    private let firstPlayed = Atomic<Int64>(0)

    package init() throws(CodecError) {
        ring = RecordRing(capacityBytes: AudioSource.ringBytes, readySignal: nil)
        jitterBuffer = AudioJitterBuffer()
        decoder = try OpusDecoder()
        decoded = .allocate(capacity: AudioSource.longestFrame)
        decoded.initialize(repeating: 0)
    }

    deinit {
        decoded.deallocate()
    }

    /// Hands a packet to the playing thread. A full ring drops it; the jitter buffer sees a loss.
    package func receive(_ packet: ReceivedAudioPacket) {
        let header = RecordHeader(
            kind: 0, flags: packet.isRetransmission ? 1 : 0, sequence: packet.sequence, timestamp: packet.timestamp,
            time: packet.arrival, value: packet.levelDBov.map(Int64.init) ?? -1)
        _ = ring.write(header, packet.payload)
    }

    /// Adds the next 480 frames to `mix`. Allocates nothing.
    func mixPeriod(into mix: UnsafeMutableBufferPointer<Int32>, at now: MonotonicTime) {
        while let (header, payload) = ring.read() {
            jitterBuffer.insert(
                payload, sequence: header.sequence, timestamp: header.timestamp, arrival: header.time,
                levelDBov: header.value < 0 ? nil : UInt8(truncatingIfNeeded: header.value),
                isRetransmission: header.flags & 1 != 0)
            ring.consume()
        }
        var filled = 0
        while filled < mix.count {
            if readPosition == decodedCount {
                guard decodeFrame(at: now) else { return }
            }
            let count = min(mix.count - filled, decodedCount - readPosition)
            for i in 0..<count { mix[filled + i] &+= Int32(decoded[readPosition + i]) }
            filled += count
            readPosition += count
        }
    }

    /// Fills `decoded` with the next frame; false when there is nothing to play (silence costs nothing).
    private func decodeFrame(at now: MonotonicTime) -> Bool {
        readPosition = 0
        decodedCount = 0
        let action = jitterBuffer.nextFrame(at: now)
        targetDelay.store(Int(jitterBuffer.statistics.targetDelay.milliseconds), ordering: .relaxed)
        switch action {
        case .decode(let payload):
            decodedCount = decoder.decode(payload, into: decoded)
            if decodedCount > 0 {
                if firstPlayed.load(ordering: .relaxed) == 0 { firstPlayed.store(now.nanoseconds, ordering: .relaxed) }
            } else {
                // The packet's time must pass all the same.
                decodeErrors.wrappingAdd(1, ordering: .relaxed)
                conceal(frames: 960)
            }
        case .decodeFEC(let next, let frames):
            decodedCount = decoder.decodeFEC(next, frames: min(frames, AudioSource.longestFrame), into: decoded)
            recoveredFrames.wrappingAdd(decodedCount, ordering: .relaxed)
        case .conceal(let frames):
            conceal(frames: frames)
        case .silence(let frames):
            level.store(Int(AudioLoudness.silence), ordering: .relaxed)
            decodedCount = min(frames, AudioSource.longestFrame)
            UnsafeMutableBufferPointer(rebasing: decoded[..<decodedCount]).update(repeating: 0)
            return decodedCount > 0
        }
        playedFrames.wrappingAdd(decodedCount, ordering: .relaxed)
        let samples = UnsafeBufferPointer(rebasing: decoded[..<decodedCount])
        level.store(Int(AudioLoudness.decibelsBelowOverload(samples)), ordering: .relaxed)
        return decodedCount > 0
    }

    private func conceal(frames: Int) {
        decodedCount = decoder.conceal(frames: min(frames, AudioSource.longestFrame), into: decoded)
        concealedFrames.wrappingAdd(decodedCount, ordering: .relaxed)
    }

    package var statistics: AudioSourceStatistics {
        let first = firstPlayed.load(ordering: .relaxed)
        return AudioSourceStatistics(
            playedSeconds: Double(playedFrames.load(ordering: .relaxed)) / 48_000,
            concealedSeconds: Double(concealedFrames.load(ordering: .relaxed)) / 48_000,
            recoveredSeconds: Double(recoveredFrames.load(ordering: .relaxed)) / 48_000,
            decodeErrorCount: decodeErrors.load(ordering: .relaxed),
            droppedPacketCount: Int(ring.droppedCount),
            levelDBov: level.load(ordering: .relaxed),
            targetDelayMilliseconds: targetDelay.load(ordering: .relaxed),
            firstPlayedTime: first == 0 ? nil : MonotonicTime(nanoseconds: first))
    }
}
