import MediaTypes

extension JSEPSession {
    /// Works out what both descriptions agree on, line by line.
    mutating func negotiate(local: SessionDescription, remote: SessionDescription) {
        for position in transceivers.indices {
            guard let place = transceivers[position].place, place.mediaLineIndex < local.lines.count else {
                transceivers[position].negotiated = nil
                continue
            }
            let line = agreedLine(
                for: transceivers[position], at: place, local: local.lines[place.mediaLineIndex],
                remote: remote.lines[place.mediaLineIndex])
            transceivers[position].negotiated = line
            transceivers[position].isFinished = line.isRejected
        }
    }

    private func agreedLine(
        for transceiver: Transceiver, at place: Transceiver.Place, local: MediaDescription, remote: MediaDescription
    ) -> NegotiatedLine {
        var line = NegotiatedLine(
            index: transceiver.index, mediaLineIndex: place.mediaLineIndex, mid: place.mid, kind: transceiver.kind,
            localDirection: transceiver.direction, localSSRC: transceiver.ssrc,
            localRetransmissionSSRC: transceiver.retransmissionSSRC)
        line.isRejected = local.isRejected || remote.isRejected
        if line.isRejected { return line }
        guard transceiver.kind != .data else {
            line.sends = true
            line.receives = true
            return line
        }
        guard let codec = Self.agreedCodec(local: local, remote: remote) else {
            line.isRejected = true
            return line
        }
        line.codec = codec
        line.sends = local.direction.sends && remote.direction.receives
        line.receives = local.direction.receives && remote.direction.sends
        line.extensions = HeaderExtensionNumbers(agreedIn: local.extensions, and: remote.extensions)
        line.allowsReducedSizeRTCP = local.allowsReducedSizeRTCP && remote.allowsReducedSizeRTCP
        line.remoteMaximumBitrate = remote.maximumBitrate
        line.remoteSources = remote.primarySources.map {
            RemoteSource(
                ssrc: $0.ssrc, retransmissionSSRC: remote.retransmissionSource(of: $0.ssrc), cname: $0.cname)
        }
        if remote.direction.sends { line.remoteStream = remote.announcedStream }
        return line
    }

    /// The first codec of the far side's list that is in ours too: its order is its preference.
    private static func agreedCodec(local: MediaDescription, remote: MediaDescription) -> NegotiatedCodec? {
        for theirs in remote.codecs where theirs.associatedPayloadType == nil {
            guard let ours = local.codecs.first(where: { $0.isSameCodec(as: theirs) }) else { continue }
            let theirRepeats = CodecCatalogue.retransmission(of: theirs, in: remote.codecs)
            let ourRepeats = CodecCatalogue.retransmission(of: ours, in: local.codecs)
            let agreesOnRepeats = theirRepeats != nil && ourRepeats != nil
            return NegotiatedCodec(
                name: ours.name, clockRateHz: ours.clockRateHz, channelCount: ours.channelCount,
                sendPayloadType: theirs.payloadType, receivePayloadType: ours.payloadType,
                sendRetransmissionPayloadType: agreesOnRepeats ? theirRepeats?.payloadType : nil,
                receiveRetransmissionPayloadType: agreesOnRepeats ? ourRepeats?.payloadType : nil,
                feedback: ours.feedback.intersection(theirs.feedback), remoteParameters: theirs.parameters)
        }
        return nil
    }
}
