import MediaTypes
import RTPWire

/// What the far side says by RTCP.
extension MediaSession {
    /// After this long without transport-wide feedback, reception reports decide about the rate again.
    private static let feedbackSilence = Interval.seconds(3)
    /// Fewer packets say nothing about loss.
    private static let leastReportedPackets = 20.0
    /// Longer round trips are a mistake of somebody's clock.
    private static let longestRoundTrip = Interval.seconds(10)

    /// Takes in one decrypted RTCP packet.
    package func receiveRTCP(_ packet: UnsafeRawBufferPointer, at time: MonotonicTime) {
        move(to: time)
        guard !isClosed else { return }
        guard let compound = RTCPCompoundView(packet) else { return drop(.malformedRTCP) }
        rtcpPacketsReceived += 1
        for block in compound {
            switch block {
            case .senderReport(let report, let reports):
                receiver(of: report.sender)?.reception.note(report, at: now)
                take(reports)
            case .receiverReport(_, let reports): take(reports)
            case .sourceDescription, .other: break
            case .bye(let sources): take(sources)
            case .nack(let media, let numbers): take(numbers, media: media)
            case .pictureLoss(let media):
                guard let line = sendingLine(of: media) else { continue }
                line.sender?.statistics.keyFrameRequestsReceived += 1
                askForKeyFrame(line)
            case .fullIntraRequest(let entries): take(entries)
            case .maximumBitrate(let limit, _): rate.noteRemoteLimit(limit)
            case .transportFeedback(let feedback): take(feedback)
            case .malformed: drop(.malformedRTCP)
            }
        }
        let hasFeedback = lastTransportFeedback.map { now - $0 < Self.feedbackSilence } ?? false
        if reportedExpected >= Self.leastReportedPackets {
            if !hasFeedback { noteLoss(reportedLost / reportedExpected) }
            reportedExpected = 0
            reportedLost = 0
        }
        announceRate()
    }

    private func noteLoss(_ loss: Double) {
        rate.noteLoss(
            loss, usedRate: sentRate.rate(at: now), roundTrip: roundTrip ?? Self.assumedRoundTrip, at: now)
    }

    private func take(_ reports: ReceptionReportList) {
        for report in reports {
            guard let line = sendingLine(of: report.source), let sender = line.sender else { continue }
            let news = sender.note(report, clockRateHz: line.configuration.codec.clockRateHz)
            if news.hasAdvanced { acknowledgements += 1 }
            reportedExpected += news.expected
            reportedLost += news.lost
            let arrival = NTPTime(now, unixOffset: unixOffset).compact
            if let trip = NTPTime.roundTripTime(arrival: arrival, report: report), trip < Self.longestRoundTrip {
                roundTrip = roundTrip.map { ($0 * 7 + trip) / 8 } ?? trip
            }
        }
    }

    private func take(_ feedback: TransportFeedbackView) {
        let before = sentPackets.arrivedTotal
        sentPackets.note(feedback)
        if sentPackets.arrivedTotal > before { acknowledgements += 1 }
        lastTransportFeedback = now
        if let loss = sentPackets.takeLoss() { noteLoss(loss) }
    }

    private func take(_ sources: SSRCList) {
        var hasLeft = false
        for source in sources {
            guard let receiver = receiver(of: source), receiver.ssrc == source, !receiver.hasSaidBye else { continue }
            receiver.hasSaidBye = true
            hasLeft = true
        }
        guard hasLeft else { return }
        for line in lines {
            if let receiver = line.receiver, receiver.ssrc != nil, !receiver.hasSaidBye { return }
        }
        append(OutputQueue.Record(kind: .remoteLeft))
    }

    private func take(_ numbers: SequenceNumberList, media: SSRC) {
        guard let line = sendingLine(of: media), let sender = line.sender, line.configuration.codec.usesNACK
        else { return }
        // The far side asks again after a round trip; what comes sooner asks for what is already under way.
        let pause = min(max((roundTrip ?? .zero) * 4 / 5, .milliseconds(10)), .milliseconds(200))
        for number in numbers {
            sender.statistics.nacksReceived += 1
            let newest = sender.history.nextUnsent - 1
            let step = SequenceNumber(UInt16(truncatingIfNeeded: newest)).distance(to: number)
            let sequence = newest + Int64(step)
            guard let packet = sender.history.sentPacket(sequence), packet.resendCount < SendStream.resendLimit,
                packet.resendCount == 0 || now - packet.lastSent >= pause
            else {
                drop(.retransmissionNotKept)
                continue
            }
            guard !resends.isFull else {
                drop(.retransmissionOverBudget)
                continue
            }
            sender.history.noteResent(sequence, at: now)
            resends.append(ResendQueue.Resend(line: line.lineIndex, sequence: sequence))
        }
    }

    private func take(_ entries: FullIntraRequestList) {
        for entry in entries {
            guard let line = sendingLine(of: entry.media), let sender = line.sender else { continue }
            sender.statistics.keyFrameRequestsReceived += 1
            sender.limiter.noteCommand(entry.commandNumber)
            reportKeyFrameRequest(line)
        }
    }

    private func sendingLine(of ssrc: SSRC) -> MediaLine? {
        for line in lines where line.sender?.ssrc == ssrc && line.isSending { return line }
        return nil
    }

    private func receiver(of ssrc: SSRC) -> ReceiveStream? {
        for line in lines where line.receiver?.ssrc == ssrc { return line.receiver }
        return nil
    }
}
