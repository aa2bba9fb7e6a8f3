import MediaTypes
import RTPWire

/// From submitted media to packets.
extension MediaSession {
    /// Bytes of the VP8 payload descriptor with a 15-bit picture identification.
    private static let descriptorByteCount = 4
    /// Longest Opus packet (RFC 6716 §3.2.1, one frame), and more than any packet may carry.
    private static let audioPayloadLimit = 1_275
    /// Retransmissions may take this much, however little is allowed: without them the rest is useless.
    private static let leastResendRate = Bitrate.kilobitsPerSecond(300)
    /// Between two packets of a stream that carry their capture time.
    private static let captureTimePause = Interval.seconds(1)

    /// Sends one Opus packet.
    /// - Parameter timestamp: ticks of 48 kHz of the capture clock; the session adds its own offset.
    package func submitAudio(
        _ payload: UnsafeRawBufferPointer, line lineIndex: Int, timestamp: RTPTimestamp, marker: Bool,
        audioLevelDBov: UInt8, voiceActivity: Bool, at time: MonotonicTime
    ) {
        move(to: time)
        guard !isClosed, let line = line(lineIndex), line.kind == .audio, line.isSending, let sender = line.sender,
            (1...Self.audioPayloadLimit).contains(payload.count), payload.count <= sender.payloadLimit
        else { return drop(.notSendable) }
        let keeps = line.configuration.codec.usesNACK ? SendStream.audioMemory : .zero
        sender.history.forget(submittedBefore: now - keeps)
        var packet = SendHistory.Packet()
        packet.timestamp = timestamp.advanced(byTicks: sender.timestampOffset)
        packet.marker = marker
        packet.levelByte = min(audioLevelDBov, 127) | (voiceActivity ? 0x80 : 0)
        packet.submission = now
        packet.hasCaptureTime = takesCaptureTime(sender)
        guard sender.history.append(packet, byteCount: payload.count, fill: { $0.copyMemory(from: payload) }) else {
            return drop(.sendBufferFull)
        }
        sender.noteSubmission(packet.timestamp, at: now)
        sender.statistics.frames += 1
    }

    /// Packetises, paces and keeps one VP8 frame.
    /// - Parameter timestamp: ticks of 90 kHz of the capture clock; the session adds its own offset.
    package func submitVideo(
        _ frame: UnsafeRawBufferPointer, line lineIndex: Int, timestamp: RTPTimestamp, isKeyFrame: Bool,
        at time: MonotonicTime
    ) {
        move(to: time)
        guard !isClosed, let line = line(lineIndex), line.kind == .video else { return drop(.notSendable) }
        guard line.isSending, let sender = line.sender, !frame.isEmpty else {
            line.sender?.awaitsKeyFrame = true
            return drop(.notSendable)
        }
        if sender.awaitsKeyFrame && !isKeyFrame {
            // What this frame depends on was never sent.
            drop(.notSendable)
            return askForKeyFrame(line)
        }
        sender.history.forget(submittedBefore: now - SendStream.videoMemory)
        let pieces = VP8Packetizer(
            frameByteCount: frame.count, limit: sender.payloadLimit - Self.descriptorByteCount)
        guard
            sender.history.hasRoom(
                packetCount: pieces.packetCount,
                byteCount: frame.count + pieces.packetCount * Self.descriptorByteCount)
        else {
            drop(frame.count > FrameBuffer.frameLimit ? .frameTooLarge : .sendBufferFull)
            sender.awaitsKeyFrame = true
            return askForKeyFrame(line)
        }
        sender.awaitsKeyFrame = false
        append(frame, in: pieces, timestamp: timestamp.advanced(byTicks: sender.timestampOffset), to: sender)
        sender.statistics.frames += 1
        if isKeyFrame {
            sender.statistics.keyFrames += 1
            sender.limiter.noteKeyFrame()
        }
    }

    private func append(
        _ frame: UnsafeRawBufferPointer, in pieces: VP8Packetizer, timestamp: RTPTimestamp, to sender: SendStream
    ) {
        for index in 0..<pieces.packetCount {
            let piece = UnsafeRawBufferPointer(rebasing: frame[pieces.range(index)])
            let descriptor = VP8PayloadDescriptor(startsPartition: index == 0, pictureID: sender.pictureID)
            var packet = SendHistory.Packet()
            packet.timestamp = timestamp
            packet.marker = index == pieces.packetCount - 1
            packet.submission = now
            packet.hasCaptureTime = index == 0 && takesCaptureTime(sender)
            let fits = sender.history.append(
                packet, byteCount: Self.descriptorByteCount + piece.count,
                fill: { payload in
                    var writer = ByteWriter(payload)
                    descriptor.write(to: &writer)
                    writer.append(piece)
                })
            precondition(fits, "hasRoom said that the frame fits")
        }
        sender.pictureID = (sender.pictureID + 1) & 0x7FFF
        sender.noteSubmission(timestamp, at: now)
    }

    /// Reports to the owner that a key frame is needed; not more often than the far side may.
    func askForKeyFrame(_ line: MediaLine) {
        line.sender?.limiter.noteRequest()
        reportKeyFrameRequest(line)
    }

    func reportKeyFrameRequest(_ line: MediaLine) {
        guard let sender = line.sender, sender.limiter.takeDue(at: now) else { return }
        append(OutputQueue.Record(kind: .keyFrameRequested, line: line.lineIndex))
    }

    // MARK: Packets

    /// Writes the next packet that may leave into `packetBuffer`: audio at once, then resends and video at the pacer's pace.
    /// - Returns: its size, or nil when nothing may leave now.
    func nextPacketToSend() -> Int? {
        guard !isClosed else { return nil }
        for line in lines where line.kind == .audio {
            guard let sender = line.sender, let packet = sender.history.sendNext(at: now) else { continue }
            if let count = write(packet, of: line, sender, isResend: false) { return count }
        }
        guard pacer.maySend(at: now) else { return nil }
        while let resend = resends.removeFirst() {
            guard let line = line(resend.line), let sender = line.sender,
                let packet = sender.history.sentPacket(resend.sequence)
            else {
                drop(.retransmissionNotKept)
                continue
            }
            guard resentRate.rate(at: now) <= max(rate.allowed, Self.leastResendRate) else {
                drop(.retransmissionOverBudget)
                continue
            }
            guard let count = write(packet, of: line, sender, isResend: true) else { continue }
            pace(count)
            return count
        }
        var chosen: MediaLine?
        for line in lines where line.kind == .video {
            guard let time = line.sender?.history.oldestUnsent else { continue }
            if chosen?.sender?.history.oldestUnsent.map({ time < $0 }) ?? true { chosen = line }
        }
        guard let line = chosen, let sender = line.sender, let packet = sender.history.sendNext(at: now),
            let count = write(packet, of: line, sender, isResend: false)
        else { return nil }
        pace(count)
        return count
    }

    private func pace(_ byteCount: Int) {
        var queued = 0
        for line in lines where line.kind == .video { queued += line.sender?.history.unsentBytes ?? 0 }
        pacer.noteSent(byteCount: byteCount, queuedBytes: queued, allowed: rate.allowed, at: now)
    }

    private func write(
        _ packet: SendHistory.Packet, of line: MediaLine, _ sender: SendStream, isResend: Bool
    ) -> Int? {
        let configuration = line.configuration
        guard line.isSending, var payloadType = configuration.codec.sendPayloadType else { return nil }
        var header = RTPHeader(
            payloadType: payloadType, marker: packet.marker,
            sequenceNumber: SequenceNumber(UInt16(truncatingIfNeeded: packet.sequence)), timestamp: packet.timestamp,
            ssrc: sender.ssrc)
        let original = header.sequenceNumber
        let rtxType = isResend ? configuration.codec.sendRTXPayloadType : nil
        if let rtxType {
            payloadType = rtxType
            header.payloadType = rtxType
            header.ssrc = sender.rtxSSRC
            header.sequenceNumber = sender.nextRTXSequence
            sender.nextRTXSequence = sender.nextRTXSequence.next
        }
        let payload = sender.history.payload(packet)
        let usesFeedback = configuration.codec.usesTransportCC && configuration.extensions.transportSequence != 0
        var writer = RTPPacketWriter(
            into: UnsafeMutableRawBufferPointer(rebasing: packetBuffer[..<(packetBuffer.count - Self.tailRoom)]),
            header: header, extensions: extensions(of: packet, line, usesFeedback: usesFeedback),
            map: configuration.extensions)
        if rtxType != nil { writer.appendOriginalSequenceNumber(original) }
        writer.appendPayload(payload)
        guard let count = writer.finishedByteCount else { return nil }
        if usesFeedback { _ = sentPackets.add(byteCount: count) }
        sentRate.add(byteCount: count, at: now)
        if isResend {
            resentRate.add(byteCount: count, at: now)
            sender.statistics.retransmittedPackets += 1
            sender.statistics.retransmittedBytes += Int64(payload.count)
        } else {
            sender.noteSent(byteCount: payload.count, at: now)
        }
        return count
    }

    private func extensions(
        of packet: SendHistory.Packet, _ line: MediaLine, usesFeedback: Bool
    ) -> HeaderExtensionValues {
        var values = HeaderExtensionValues()
        values.mid = UnsafeRawBufferPointer(line.mid)
        if let level = packet.levelByte {
            values.audioLevel = AudioLevel(minusDBov: level & 0x7F, hasVoice: level & 0x80 != 0)
        }
        values.absSendTime = NTPTime(now, unixOffset: unixOffset).absSendTime
        if usesFeedback { values.transportSequence = UInt16(truncatingIfNeeded: sentPackets.nextNumber) }
        if packet.hasCaptureTime {
            values.absCaptureTime = AbsoluteCaptureTime(
                captureTime: NTPTime(packet.submission, unixOffset: unixOffset))
        }
        return values
    }

    private func takesCaptureTime(_ sender: SendStream) -> Bool {
        if let last = sender.lastCaptureTime, now - last < Self.captureTimePause { return false }
        sender.lastCaptureTime = now
        return true
    }
}
