import MediaTypes
import RTPWire

/// What goes to the far side by RTCP.
extension MediaSession {
    /// Size of one RTCP packet.
    static let reportLimit = 1_200
    /// Between two transport-wide feedback packets, as libwebrtc's default.
    static let feedbackPause = Interval.milliseconds(100)
    /// What is told to a sender that asks for no transport-wide feedback, when nothing is lost.
    static let receiveCap = Bitrate.kilobitsPerSecond(4_000)

    /// Our source in packets about others.
    var feedbackSender: SSRC {
        for line in lines where line.isSending { return line.configuration.localSSRC }
        return lines.first?.configuration.localSSRC ?? SSRC(1)
    }

    /// Times of reports are spread, so that many peers do not report in step (RFC 3550 §6.2).
    func scheduleReport(after interval: Interval) {
        let factor = 0.75 + 0.5 * random.nextFraction()
        nextReport = now + Interval(nanoseconds: Int64(Double(interval.nanoseconds) * factor))
    }

    // MARK: Requests

    /// Sends the NACKs and key frame requests that are due, and reports those of the far side.
    func sendRequests() {
        let trip = roundTrip ?? Self.assumedRoundTrip
        for line in lines {
            reportKeyFrameRequest(line)
            guard line.configuration.receives, let receiver = line.receiver, let media = receiver.ssrc else { continue }
            if line.configuration.codec.usesNACK { sendNACKs(receiver, media: media, roundTrip: trip) }
            if let video = receiver.video, video.takeDueRequest(roundTrip: trip, at: now) {
                sendKeyFrameRequest(line, receiver, media: media)
            }
        }
    }

    private func sendNACKs(_ receiver: ReceiveStream, media: SSRC, roundTrip: Interval) {
        guard receiver.nack.nextDeadline(roundTrip: roundTrip) <= now else { return }
        var index = 0
        repeat {
            missing.removeAll()
            while !missing.isFull,
                let sequence = receiver.nack.nextDue(from: &index, roundTrip: roundTrip, at: now)
            {
                missing.append(SequenceNumber(UInt16(truncatingIfNeeded: sequence)))
            }
            guard missing.count > 0 else { return }
            var writer = RTCPWriter(into: reportBuffer)
            guard writer.appendNACK(sender: feedbackSender, media: media, missing: missing) else { return }
            receiver.statistics.nacksSent += Int64(missing.count)
            send(writer)
        } while missing.isFull
    }

    private func sendKeyFrameRequest(_ line: MediaLine, _ receiver: ReceiveStream, media: SSRC) {
        var writer = RTCPWriter(into: reportBuffer)
        let codec = line.configuration.codec
        if codec.usesPLI {
            guard writer.appendPictureLoss(sender: feedbackSender, media: media) else { return }
        } else if codec.usesFIR {
            let number = UInt8(truncatingIfNeeded: receiver.statistics.keyFrameRequestsSent)
            guard writer.appendFullIntraRequest(sender: feedbackSender, media: media, commandNumber: number)
            else { return }
        } else {
            return
        }
        receiver.statistics.keyFrameRequestsSent += 1
        send(writer)
    }

    // MARK: Transport-wide feedback

    func sendTransportFeedback() {
        nextFeedback = .distantFuture
        while arrivals.hasNews, let base = arrivals.base {
            var writer = RTCPWriter(into: reportBuffer)
            let covered = writer.appendTransportFeedback(
                sender: feedbackSender, media: feedbackMedia, feedbackCount: feedbackCount,
                baseSequence: SequenceNumber(UInt16(truncatingIfNeeded: base)), statusCount: arrivals.pendingCount,
                arrival: { arrivals.arrival(base + Int64($0)) })
            guard covered > 0 else { return arrivals.noteAllReported() }
            arrivals.noteReported(covered)
            feedbackCount &+= 1
            send(writer)
        }
    }

    // MARK: Reports

    /// One compound: a sender report for each stream that is sent (or one receiver report), report blocks, names, REMB.
    func sendReports() {
        var writer = RTCPWriter(into: reportBuffer)
        var hasBlocks = false
        for line in lines where line.isSending {
            guard let sender = line.sender,
                let report = sender.senderReport(
                    clockRateHz: line.configuration.codec.clockRateHz, unixOffset: unixOffset, at: now),
                writer.appendSenderReport(report)
            else { continue }
            if !hasBlocks { appendBlocks(to: &writer) }
            hasBlocks = true
            _ = writer.appendSourceDescription(source: sender.ssrc, cname: name(of: line))
        }
        if !hasBlocks {
            guard writer.appendReceiverReport(sender: feedbackSender) else { return }
            appendBlocks(to: &writer)
            _ = writer.appendSourceDescription(source: feedbackSender, cname: name(of: lines.first))
        }
        appendReceiveLimit(to: &writer)
        send(writer)
    }

    func sendGoodbye() {
        var writer = RTCPWriter(into: reportBuffer)
        guard writer.appendReceiverReport(sender: feedbackSender) else { return }
        appendBlocks(to: &writer)
        _ = writer.appendSourceDescription(source: feedbackSender, cname: name(of: lines.first))
        var goodbyes: [SSRC] = []
        for line in lines {
            guard let sender = line.sender, sender.statistics.packets > 0, goodbyes.count < 31 else { continue }
            goodbyes.append(sender.ssrc)
        }
        if goodbyes.isEmpty { goodbyes.append(feedbackSender) }
        _ = writer.appendBye(goodbyes)
        send(writer)
    }

    private func appendBlocks(to writer: inout RTCPWriter) {
        for line in lines where line.configuration.receives {
            guard let receiver = line.receiver, let source = receiver.ssrc, receiver.log.first != nil else { continue }
            let report = receiver.reception.report(
                source: source, expected: receiver.log.expectedCount, received: receiver.directCount,
                highest: receiver.log.highest, at: now)
            guard writer.appendReport(report) else { return }
        }
    }

    /// For far sides that know REMB only: a cap, and less when much is lost.
    private func appendReceiveLimit(to writer: inout RTCPWriter) {
        var sources: [SSRC] = []
        for line in lines where line.configuration.receives && line.kind == .video {
            let codec = line.configuration.codec
            guard codec.usesREMB, !codec.usesTransportCC, let source = line.receiver?.ssrc else { continue }
            sources.append(source)
        }
        guard !sources.isEmpty else { return }
        _ = writer.appendMaximumBitrate(sender: feedbackSender, Self.receiveCap, sources: sources)
    }

    private func name(of line: MediaLine?) -> String {
        guard let name = line?.configuration.cname, !name.isEmpty else { return localCNAME }
        return name
    }

    private func send(_ writer: RTCPWriter) {
        rtcpPacketsSent += 1
        append(
            OutputQueue.Record(kind: .rtcp), UnsafeRawBufferPointer(rebasing: reportBuffer[..<writer.count]))
    }
}
