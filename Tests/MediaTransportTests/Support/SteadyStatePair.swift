import MediaTypes

@testable import MediaTransport

/// Two sessions wired to each other without a network between, and without memory of their own: what they allocate is
/// counted by the caller.
final class SteadyStatePair {
    private let a: MediaSession
    private let b: MediaSession
    private let jitter = AudioJitterBuffer()
    private let audio: UnsafeMutableRawBufferPointer
    private let keyFrame: UnsafeMutableRawBufferPointer
    private let deltaFrame: UnsafeMutableRawBufferPointer
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private var period: Int64 = 0
    private var packetCount = 0
    private var wantsKeyFrame = true
    /// Every so many packets one is lost; 0 for none.
    var lossDistance = 0
    private(set) var receivedFrames = 0
    private(set) var playedPackets = 0

    init(seed: UInt64, options: LineOptions = LineOptions()) {
        a = MediaSession(seed: seed, localCNAME: "a", startRate: .kilobitsPerSecond(1_000))
        b = MediaSession(seed: seed + 1, localCNAME: "b", startRate: .kilobitsPerSecond(1_000))
        a.configure(options.lines(ssrcBase: 1_000), at: now)
        b.configure(options.lines(ssrcBase: 2_000), at: now)
        audio = Self.buffer(SyntheticMedia.opus(number: 0))
        keyFrame = Self.buffer(SyntheticMedia.vp8(number: 0, isKeyFrame: true, byteCount: 30_000))
        deltaFrame = Self.buffer(SyntheticMedia.vp8(number: 0, isKeyFrame: false, byteCount: 2_500))
    }

    deinit {
        audio.deallocate()
        keyFrame.deallocate()
        deltaFrame.deallocate()
    }

    /// 20 ms: one audio packet and one video frame each way, and what is due.
    func run(periods: Int) {
        for _ in 0..<periods {
            for step in 0..<4 {
                now = now + .milliseconds(5)
                if step == 0 { submit() }
                a.advance(to: now)
                b.advance(to: now)
                drain(a, to: b)
                drain(b, to: a)
                drain(a, to: b)
            }
            if case .decode = jitter.nextFrame(at: now) { playedPackets += 1 }
        }
    }

    private func submit() {
        let audioTime = RTPTimestamp(UInt32(truncatingIfNeeded: period * 960))
        let videoTime = RTPTimestamp(UInt32(truncatingIfNeeded: period * 1_800))
        let frame = UnsafeRawBufferPointer(wantsKeyFrame ? keyFrame : deltaFrame)
        submit(to: a, audioTime, videoTime, frame)
        submit(to: b, audioTime, videoTime, frame)
        wantsKeyFrame = false
        period += 1
    }

    private func submit(
        to session: MediaSession, _ audioTime: RTPTimestamp, _ videoTime: RTPTimestamp, _ frame: UnsafeRawBufferPointer
    ) {
        session.submitAudio(
            UnsafeRawBufferPointer(audio), line: 0, timestamp: audioTime, marker: false, audioLevelDBov: 20,
            voiceActivity: true, at: now)
        session.submitVideo(frame, line: 1, timestamp: videoTime, isKeyFrame: wantsKeyFrame, at: now)
    }

    private func drain(_ session: MediaSession, to other: MediaSession) {
        while let output = session.pollOutput() {
            switch output {
            case .sendRTP(let bytes, _):
                packetCount += 1
                if lossDistance > 0 && packetCount % lossDistance == 0 { continue }
                other.receiveRTP(UnsafeRawBufferPointer(bytes), at: now)
            case .sendRTCP(let bytes, _): other.receiveRTCP(UnsafeRawBufferPointer(bytes), at: now)
            case .audio(_, let packet):
                guard session === b else { continue }
                jitter.insert(
                    packet.payload, sequence: packet.sequence, timestamp: packet.timestamp, arrival: packet.arrival)
            case .video: receivedFrames += 1
            case .keyFrameRequested: wantsKeyFrame = true
            case .bitrateAllowed, .remoteLeft: break
            }
        }
    }

    private static func buffer(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        buffer.copyBytes(from: bytes)
        return buffer
    }
}
