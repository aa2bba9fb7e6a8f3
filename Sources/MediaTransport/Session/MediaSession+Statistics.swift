import MediaTypes

/// What happened so far.
extension MediaSession {
    /// What moved so far; cheap enough for ten times a second.
    package var progress: MediaProgress {
        var result = MediaProgress()
        result.acknowledged = acknowledgements
        for line in lines {
            if let sender = line.sender {
                result.sent += sender.statistics.packets + sender.statistics.retransmittedPackets
                if line.isSending { result.reportedLoss = max(result.reportedLoss, sender.statistics.fractionLost) }
            }
            if let receiver = line.receiver {
                result.received += receiver.statistics.packets
                result.lost += receiver.lostCount
            }
        }
        return result
    }

    /// A snapshot; allocates, so not for every packet.
    package var statistics: MediaStatistics {
        var result = MediaStatistics()
        result.roundTripTime = roundTrip
        result.bitrateAllowed = rate.allowed
        result.bitrateAcknowledged = sentPackets.acknowledgedRate()
        result.bitrateSent = sentRate.rate(at: now)
        result.bitrateReceived = receivedRate.rate(at: now)
        result.drops = drops
        result.rtcpPacketsSent = rtcpPacketsSent
        result.rtcpPacketsReceived = rtcpPacketsReceived
        for line in lines {
            var entry = MediaLineStatistics(lineIndex: line.lineIndex, kind: line.kind)
            if let sender = line.sender {
                entry.sent = sender.statistics
                if line.kind == .video { result.pacerQueuePackets += sender.history.unsentCount }
            }
            if let receiver = line.receiver {
                entry.received = receiver.statistics
                entry.received.lost = receiver.lostCount
                entry.received.jitter = receiver.reception.jitter
                entry.received.droppedFrames = receiver.video?.assembler.droppedFrames ?? 0
            }
            result.lines.append(entry)
        }
        return result
    }
}
