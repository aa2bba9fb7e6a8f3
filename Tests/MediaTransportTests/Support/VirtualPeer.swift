import MediaTypes
import RTPWire

@testable import MediaTransport

/// One end of a simulated call: a session, a microphone and a camera, a speaker and a screen.
final class VirtualPeer {
    /// What this end sends.
    var sendsAudio = false
    var sendsVideo = false
    var audioHasFEC = true
    var videoRate = 600_000
    var framesPerSecond = 30
    var keyFrameBytes = 24_000
    /// Bytes of one delta frame; nil follows `videoRate`.
    var deltaFrameBytes: Int?

    let session: MediaSession
    let jitter = AudioJitterBuffer()
    private(set) var hash = EventHash()
    private(set) var wantsKeyFrame = true
    private(set) var audioNumber: Int64 = 0
    private(set) var frameNumber: Int64 = 0
    // What came.
    private(set) var receivedAudio: [Int64] = []
    private(set) var playedAudio: [Int64] = []
    private(set) var frames: [(number: Int64, isKeyFrame: Bool, time: MonotonicTime, timestamp: Int64)] = []
    private(set) var brokenChains = 0
    private(set) var damagedPayloads = 0
    private(set) var keyFrameRequests: [MonotonicTime] = []
    private(set) var rates: [(Bitrate, MonotonicTime)] = []
    private(set) var remoteLeftCount = 0
    /// When what came last was captured, on the sender's clock, minus its number's or timestamp's time.
    private(set) var lastAudioSenderTime: Int64?
    private(set) var lastVideoSenderTime: Int64?
    private(set) var longestStall = Interval.zero
    private(set) var sentRTPCount = 0
    private(set) var sentRTCPCount = 0

    init(
        seed: UInt64, lines: [MediaLineConfiguration], startRate: Bitrate = .kilobitsPerSecond(800),
        start: StreamStart? = nil
    ) {
        session = MediaSession(
            seed: seed, localCNAME: "peer", startRate: startRate, unixOffset: .seconds(1_700_000_000 as Int64))
        session.forcedStart = start
        session.configure(lines, at: .zero)
    }

    func reconfigure(_ lines: [MediaLineConfiguration], at time: MonotonicTime) {
        session.configure(lines, at: time)
        wantsKeyFrame = true
    }

    func tickAudio(at time: MonotonicTime, payload: [UInt8]? = nil) {
        let bytes = payload ?? SyntheticMedia.opus(number: audioNumber, hasFEC: audioHasFEC)
        let timestamp = RTPTimestamp(UInt32(truncatingIfNeeded: audioNumber * 960))
        bytes.withUnsafeBytes {
            session.submitAudio(
                $0, line: 0, timestamp: timestamp, marker: audioNumber == 0, audioLevelDBov: 30, voiceActivity: true,
                at: time)
        }
        audioNumber += 1
    }

    /// The sender says nothing for this while.
    func skipAudio(packets: Int64) {
        audioNumber += packets
    }

    func tickVideo(at time: MonotonicTime) {
        let isKeyFrame = wantsKeyFrame
        wantsKeyFrame = false
        let byteCount = isKeyFrame ? keyFrameBytes : deltaFrameBytes ?? max(100, videoRate / 8 / framesPerSecond)
        let bytes = SyntheticMedia.vp8(number: frameNumber, isKeyFrame: isKeyFrame, byteCount: byteCount)
        let timestamp = RTPTimestamp(UInt32(truncatingIfNeeded: time.nanoseconds / 1_000 * 9 / 100))
        bytes.withUnsafeBytes {
            session.submitVideo($0, line: 1, timestamp: timestamp, isKeyFrame: isKeyFrame, at: time)
        }
        frameNumber += 1
    }

    func tickSpeaker(at time: MonotonicTime) {
        switch jitter.nextFrame(at: time) {
        case .decode(let bytes):
            guard let number = SyntheticMedia.opusNumber(bytes) else { break }
            playedAudio.append(number)
            hash.add(number)
        case .decodeFEC(let bytes, let frames):
            hash.add(-2)
            hash.add(Int64(frames))
            if let number = SyntheticMedia.opusNumber(bytes) { playedAudio.append(number - 1) }
        case .conceal: hash.add(-3)
        case .silence: hash.add(-4)
        }
    }

    /// Deals with everything that the session wants.
    func drain(at time: MonotonicTime, send: (_ bytes: [UInt8], _ isRTCP: Bool) -> Void) {
        while let output = session.pollOutput() {
            hash.add(time.nanoseconds)
            switch output {
            case .sendRTP(let bytes, let capacity):
                precondition(capacity - bytes.count >= MediaSession.tailRoom, "room for SRTP")
                precondition(bytes.count <= 1_200, "packets fit everywhere")
                sentRTPCount += 1
                hash.add(bytes)
                send(Array(bytes), false)
            case .sendRTCP(let bytes, let capacity):
                precondition(capacity - bytes.count >= MediaSession.tailRoom, "room for SRTP")
                sentRTCPCount += 1
                hash.add(bytes)
                send(Array(bytes), true)
            case .audio(_, let packet): take(packet)
            case .video(_, let frame): take(frame, at: time)
            case .keyFrameRequested:
                keyFrameRequests.append(time)
                wantsKeyFrame = true
            case .bitrateAllowed(let rate):
                rates.append((rate, time))
                videoRate = max(50_000, rate.bitsPerSecond - 40_000)
            case .remoteLeft: remoteLeftCount += 1
            }
        }
    }

    private func take(_ packet: ReceivedAudioPacket) {
        hash.add(packet.payload)
        if let time = packet.senderTime { lastAudioSenderTime = time - packet.arrival.nanoseconds }
        receivedAudio.append(SyntheticMedia.opusNumber(packet.payload) ?? -1)
        jitter.insert(
            packet.payload, sequence: packet.sequence, timestamp: packet.timestamp, arrival: packet.arrival,
            levelDBov: packet.levelDBov, isRetransmission: packet.isRetransmission)
    }

    private func take(_ frame: ReceivedVideoFrame, at time: MonotonicTime) {
        hash.add(frame.bytes)
        if let time = frame.senderTime { lastVideoSenderTime = time - frame.completion.nanoseconds }
        guard let (number, isKeyFrame) = SyntheticMedia.vp8Number(frame.bytes), isKeyFrame == frame.isKeyFrame else {
            damagedPayloads += 1
            return
        }
        if let last = frames.last {
            longestStall = max(longestStall, time - last.time)
            if !isKeyFrame && number != last.number + 1 || number <= last.number { brokenChains += 1 }
        } else if !isKeyFrame {
            brokenChains += 1
        }
        frames.append((number, isKeyFrame, time, frame.timestamp))
    }
}
