import MediaTypes
import RTPWire

/// From received packets to audio packets and video frames.
extension MediaSession {
    /// What a retransmission stands for.
    private struct Arrival {
        var packet: RTPPacketView
        var sequenceNumber: SequenceNumber
        var payload: UnsafeRawBufferPointer
        var isRTX: Bool
    }

    /// Takes in one decrypted RTP packet.
    package func receiveRTP(_ packet: UnsafeRawBufferPointer, at time: MonotonicTime) {
        move(to: time)
        guard !isClosed else { return }
        guard let view = RTPPacketView(packet) else { return drop(.malformedRTP) }
        guard let line = findLine(view) else { return drop(.unknownStream) }
        receivedRate.add(byteCount: packet.count, at: now)
        noteTransportNumber(view, line)
        guard line.configuration.receives, let receiver = line.receiver else { return drop(.lineNotReceiving) }
        switch line.role(of: view.payloadType) {
        case .unknown: drop(.unknownPayloadType)
        case .media:
            if line.configuration.remoteRTXSSRCs.contains(view.ssrc) { return drop(.unknownPayloadType) }
            if let reason = receiver.accept(view.ssrc, at: now) { return drop(reason) }
            receiver.hasSaidBye = false
            take(
                Arrival(packet: view, sequenceNumber: view.sequenceNumber, payload: view.payload, isRTX: false),
                line, receiver)
        case .retransmission:
            guard !view.payload.isEmpty else { return drop(.paddingOnly) }
            var reader = ByteReader(view.payload)
            guard receiver.ssrc != nil, let original = reader.readUInt16(),
                let payload = reader.readPart(reader.remaining)
            else { return drop(.strayRetransmission) }
            take(
                Arrival(packet: view, sequenceNumber: SequenceNumber(original), payload: payload, isRTX: true), line,
                receiver)
        }
    }

    /// The next complete video frame.
    func nextReceivedFrame() -> MediaOutput? {
        for line in lines {
            guard let receiver = line.receiver, let video = receiver.video else { continue }
            guard let (frame, bytes) = video.nextFrame(into: &frameBuffer, at: now, refuse: { drop(.frameTooLarge) })
            else { continue }
            receiver.statistics.frames += 1
            if frame.isKeyFrame {
                receiver.statistics.keyFrames += 1
                receiver.nack.forget(below: frame.first)
            }
            let wireTimestamp = RTPTimestamp(UInt32(truncatingIfNeeded: frame.timestamp))
            return .video(
                line: line.lineIndex,
                ReceivedVideoFrame(
                    bytes: bytes, timestamp: frame.timestamp + receiver.timestampShift, isKeyFrame: frame.isKeyFrame,
                    completion: now, senderTime: receiver.reception.senderTime(of: wireTimestamp)))
        }
        return nil
    }

    // MARK: Which line

    /// RFC 9143 §9.2: by SSRC, by MID, by a payload type that only one line has.
    private func findLine(_ view: RTPPacketView) -> MediaLine? {
        if let index = sources.line(of: view.ssrc) { return line(index) }
        var found: MediaLine?
        var hasMID = false
        for line in lines {
            guard let mid = view.extensionValue(id: line.configuration.extensions.mid) else { continue }
            hasMID = true
            if mid.elementsEqual(line.mid) {
                found = line
                break
            }
        }
        if !hasMID {
            for line in lines where line.configuration.receives && line.role(of: view.payloadType) != .unknown {
                // Two lines claim it: nobody can tell.
                guard found == nil else { return nil }
                found = line
            }
        }
        if let found { sources.learn(view.ssrc, line: found.lineIndex) }
        return found
    }

    private func noteTransportNumber(_ view: RTPPacketView, _ line: MediaLine) {
        let id = line.configuration.extensions.transportSequence
        guard line.configuration.codec.usesTransportCC, let value = view.extensionValue(id: id), value.count >= 2
        else { return }
        let number = UInt16(value[0]) << 8 | UInt16(value[1])
        arrivals.note(arrivalNumbers.unwrap(SequenceNumber(number)), at: now)
        feedbackMedia = view.ssrc
        if nextFeedback == .distantFuture { nextFeedback = now + Self.feedbackPause }
    }

    // MARK: One packet

    private func take(_ arrival: Arrival, _ line: MediaLine, _ receiver: ReceiveStream) {
        let view = arrival.packet
        let sequence = receiver.unwrap(arrival.sequenceNumber)
        var timestamp = receiver.unwrap(view.timestamp)
        var wasRequested = false
        switch receiver.log.insert(sequence) {
        case .newest(let missing):
            receiver.nack.noteInOrder()
            if line.configuration.codec.usesNACK && !receiver.nack.noteMissing(missing, at: now) {
                receiver.video?.demandKeyFrame()
            }
        case .late:
            wasRequested = receiver.nack.noteArrival(sequence, isRetransmission: arrival.isRTX, at: now)
        case .duplicate:
            receiver.statistics.duplicates += 1
            return drop(.duplicate)
        case .tooOld: return drop(.tooOld)
        case .restart: timestamp = receiver.noteRestart(timestamp: view.timestamp)
        }
        receiver.connect(sequence: sequence, timestamp: timestamp, at: now)
        receiver.statistics.packets += 1
        receiver.statistics.bytes += Int64(arrival.payload.count)
        if wasRequested { receiver.statistics.recoveredPackets += 1 }
        if !arrival.isRTX {
            receiver.directCount += 1
            if !wasRequested { receiver.reception.note(timestamp: timestamp, at: now) }
        }
        if arrival.payload.isEmpty { drop(.paddingOnly) }
        if let video = receiver.video {
            let reason = video.insert(
                arrival.payload, sequence: sequence, timestamp: timestamp, marker: view.marker, at: now)
            if let reason { drop(reason) }
        } else if !arrival.payload.isEmpty {
            handOn(
                arrival, line, receiver, sequence: sequence, timestamp: timestamp,
                isRetransmission: arrival.isRTX || wasRequested)
        }
    }

    private func handOn(
        _ arrival: Arrival, _ line: MediaLine, _ receiver: ReceiveStream, sequence: Int64, timestamp: Int64,
        isRetransmission: Bool
    ) {
        guard arrival.payload.count <= Self.receivedAudioLimit else { return drop(.payloadTooLong) }
        var record = OutputQueue.Record(kind: .audio, line: line.lineIndex)
        record.sequence = sequence + receiver.sequenceShift
        record.timestamp = timestamp + receiver.timestampShift
        record.arrival = now
        record.marker = arrival.packet.marker
        record.isRetransmission = isRetransmission
        record.senderTime = receiver.reception.senderTime(of: arrival.packet.timestamp)
        if let value = arrival.packet.extensionValue(id: line.configuration.extensions.audioLevel), value.count > 0 {
            record.levelDBov = value[0] & 0x7F
            record.hasVoice = value[0] & 0x80 != 0
        }
        receiver.statistics.frames += 1
        append(record, arrival.payload)
    }

    /// The largest Opus packet that the jitter buffer has room for.
    private static let receivedAudioLimit = 1_280
}
