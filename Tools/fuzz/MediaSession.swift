import MediaTransport
import MediaTypes
import RTPWire

/// libFuzzer target: a session with one audio and one video line takes packets that the input describes, and everything
/// it wants to send comes back to it.
///
/// Each packet of the input: one byte that chooses (RTP or RTCP, how much time passes), two bytes of length, the packet.
@_cdecl("LLVMFuzzerTestOneInput")
package func fuzzMediaSession(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var reader = ByteReader(UnsafeRawBufferPointer(start: bytes, count: count))
    let session = MediaSession(seed: 1, localCNAME: "fuzz", startRate: .kilobitsPerSecond(500))
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    session.configure(lines, at: now)
    let jitter = AudioJitterBuffer()
    while let choice = reader.readUInt8(), let length = reader.readUInt16(),
        let packet = reader.readPart(min(Int(length), reader.remaining))
    {
        now = now + .milliseconds(Int64(choice & 0x3F))
        if choice & 0x80 == 0 { session.receiveRTP(packet, at: now) } else { session.receiveRTCP(packet, at: now) }
        if choice & 0x40 != 0 {
            session.submitVideo(packet, line: 1, timestamp: RTPTimestamp(0), isKeyFrame: choice & 1 != 0, at: now)
            session.submitAudio(
                packet, line: 0, timestamp: RTPTimestamp(0), marker: false, audioLevelDBov: 0, voiceActivity: true,
                at: now)
        }
        session.advance(to: now)
        drain(session, jitter, at: now)
    }
    session.close(at: now)
    drain(session, jitter, at: now)
    return 0
}

private func drain(_ session: MediaSession, _ jitter: AudioJitterBuffer, at now: MonotonicTime) {
    var count = 0
    while count < 1_000, let output = session.pollOutput() {
        count += 1
        switch output {
        case .sendRTP(let bytes, let capacity):
            precondition(bytes.count <= capacity - MediaSession.tailRoom && RTPPacketView(.init(bytes)) != nil)
        case .sendRTCP(let bytes, let capacity):
            precondition(bytes.count <= capacity - MediaSession.tailRoom && RTCPCompoundView(.init(bytes)) != nil)
        case .audio(_, let packet):
            jitter.insert(
                packet.payload, sequence: packet.sequence, timestamp: packet.timestamp, arrival: packet.arrival,
                levelDBov: packet.levelDBov, isRetransmission: packet.isRetransmission)
            _ = jitter.nextFrame(at: now)
        case .video(_, let frame): precondition(!frame.bytes.isEmpty)
        case .keyFrameRequested, .bitrateAllowed, .remoteLeft: break
        }
    }
}

private let lines: [MediaLineConfiguration] = {
    let map = HeaderExtensionMap(audioLevel: 1, absSendTime: 2, transportSequence: 3, mid: 4, absCaptureTime: 5)
    let audio = CodecBinding(
        kind: .audio, clockRateHz: 48_000, sendPayloadType: PayloadType(111), receivePayloadTypes: [PayloadType(111)],
        usesNACK: true, usesTransportCC: true)
    let video = CodecBinding(
        kind: .video, clockRateHz: 90_000, sendPayloadType: PayloadType(96), sendRTXPayloadType: PayloadType(97),
        receivePayloadTypes: [PayloadType(96)], receiveRTXPayloadTypes: [PayloadType(97): PayloadType(96)],
        usesNACK: true, usesPLI: true, usesFIR: true, usesREMB: true, usesTransportCC: true)
    return [
        MediaLineConfiguration(
            lineIndex: 0, mid: "0", codec: audio, sends: true, receives: true, localSSRC: SSRC(1),
            localRTXSSRC: SSRC(2), extensions: map),
        MediaLineConfiguration(
            lineIndex: 1, mid: "1", codec: video, sends: true, receives: true, localSSRC: SSRC(3),
            localRTXSSRC: SSRC(4), extensions: map),
    ]
}()
