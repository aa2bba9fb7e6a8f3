import MediaTransport
import MediaTypes
import Realtime
import SDP

/// Media in and out of the session of the connection, and its messages.
extension PeerConnection {
    /// Sends one Opus packet; dropped while the connection is not up.
    /// - Parameters:
    ///   - line: nil: the first audio line that sends.
    ///   - timestamp: ticks of 48 kHz of the capture clock.
    ///   - audioLevelDBov: 0 loudest … 127 silent.
    package func sendAudio(
        _ payload: UnsafeRawBufferPointer, line: Int? = nil, timestamp: RTPTimestamp, marker: Bool,
        audioLevelDBov: UInt8, voiceActivity: Bool, at time: MonotonicTime
    ) {
        loop.checkThread()
        guard let line = sendingLine(.audio, line) else { return }
        media.submitAudio(
            payload, line: line, timestamp: timestamp, marker: marker, audioLevelDBov: audioLevelDBov,
            voiceActivity: voiceActivity, at: time)
        settle()
    }

    /// Sends one encoded picture; dropped while the connection is not up.
    /// - Parameters:
    ///   - line: nil: the first video line that sends.
    ///   - timestamp: ticks of 90 kHz of the capture clock.
    package func sendVideo(
        _ frame: UnsafeRawBufferPointer, line: Int? = nil, timestamp: RTPTimestamp, isKeyFrame: Bool,
        at time: MonotonicTime
    ) {
        loop.checkThread()
        guard let line = sendingLine(.video, line) else { return }
        media.submitVideo(frame, line: line, timestamp: timestamp, isKeyFrame: isKeyFrame, at: time)
        settle()
    }

    /// Sends text on a data channel.
    /// - Parameter label: nil: the first channel.
    /// - Returns: false when no such channel is open yet, or too much waits to be sent.
    @discardableResult
    package func send(message: String, label: String? = nil) -> Bool {
        loop.checkThread()
        guard !isOver, let sctp else { return false }
        return sctp.send(message, label: label)
    }

    /// Asks the far side for a key frame on a line, again and again until one came.
    package func requestKeyFrame(line: Int) {
        loop.checkThread()
        guard !isOver, srtp != nil else { return }
        media.requestKeyFrame(line: line, at: MonotonicClock.now())
        settle()
    }

    /// Whether media given to the connection leaves it now.
    package var isSendingPossible: Bool { srtp != nil && !isOver }

    private func sendingLine(_ kind: LineKind, _ line: Int?) -> Int? {
        guard isSendingPossible else { return nil }
        return lines.first { $0.kind == kind && $0.sends && (line == nil || $0.index == line) }?.index
    }

    /// Does all that the session wants. A sink that calls back finds its wish done by the loop that called it.
    func drainMedia() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while let output = media.pollOutput() {
            switch output {
            case .sendRTP(let packet, let capacity):
                guard let srtp else { continue }
                send(srtp.protectRTP(room(of: packet, capacity), count: packet.count), of: packet)
            case .sendRTCP(let packet, let capacity):
                guard let srtp else { continue }
                send(srtp.protectRTCP(room(of: packet, capacity), count: packet.count), of: packet)
            case .audio(let line, let packet): mediaSink?.received(audio: packet, line: line)
            case .video(let line, let frame): mediaSink?.received(video: frame, line: line)
            case .keyFrameRequested(let line): emit(.keyFrameRequested(line: line))
            case .bitrateAllowed(let rate): emit(.bitrateAllowed(rate))
            // The far side's streams ended; whether the participant left is for the room to say.
            case .remoteLeft: break
            }
        }
    }

    private func room(of packet: UnsafeMutableRawBufferPointer, _ capacity: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: packet.baseAddress, count: capacity)
    }

    private func send(_ count: Int?, of packet: UnsafeMutableRawBufferPointer) {
        guard let count, let base = packet.baseAddress else { return }
        send(UnsafeRawBufferPointer(start: base, count: count))
    }
}
