import MediaTypes

extension JSEPSession {
    /// Writes the answer to the far side's offer (RFC 8829 §5.3); nothing changes until it is set.
    /// - Errors: `wrongState` without an offer to answer; `freshCredentialsNeeded` when the offer restarts ICE and
    ///   ``restartICE(ufrag:pwd:)`` was not called.
    package mutating func createAnswer() throws(SDPError) -> String {
        guard signalingState == .haveRemoteOffer || signalingState == .haveLocalProvisionalAnswer,
            let offer = pendingRemote
        else { throw .wrongState(operation: "creating an answer", state: signalingState) }
        if isRemoteICERestartPending, restartCredentials == nil { throw .freshCredentialsNeeded }
        var prepared = PreparedDescription(description: emptyDescription(), text: "")
        // Only the side that offers may restart ICE; a restart that we want waits for our next offer.
        prepared.restartsICE = restartCredentials != nil && (isRemoteICERestartPending || currentRemote == nil)
        let setup: DTLSSetup = remoteTransport?.localRole == .server ? .passive : .active
        let accepted = acceptableLines(of: offer)
        for (index, offered) in offer.lines.enumerated() {
            guard accepted[index], let position = position(atMediaLine: index), !transceivers[position].isStopped,
                let line = answerLine(to: offered, for: transceivers[position])
            else {
                prepared.description.lines.append(Self.rejectedLine(like: offered))
                continue
            }
            prepared.description.lines.append(line)
            addTransport(
                to: &prepared.description.lines[index], setup: setup, restartsICE: prepared.restartsICE)
        }
        // The offerer's order, so that its tag stays the tag unless that line is rejected (RFC 9143 §7.3).
        let live = Set(prepared.description.lines.filter { !$0.isRejected }.compactMap(\.mid))
        if let group = offer.bundleGroups.first {
            prepared.description.bundleGroups = [group.filter { live.contains($0) }]
        }
        prepared.description.allowsMixedExtensions = offer.allowsMixedExtensions
        prepared.text = prepared.description.text
        preparedAnswer = prepared
        return prepared.text
    }

    /// The answer to one line in the offerer's numbers, or nil when there is no common codec.
    private func answerLine(to offered: MediaDescription, for transceiver: Transceiver) -> MediaDescription? {
        var line = MediaDescription(media: offered.media, port: 9, proto: offered.proto, formats: offered.formats)
        line.mid = offered.mid
        guard let kind = transceiver.kind.mediaKind else {
            line.sctpPort = DataChannelTransport.port
            line.formats = offered.usesOldSCTPForm ? [String(DataChannelTransport.port)] : ["webrtc-datachannel"]
            line.maxMessageSize = DataChannelTransport.maxMessageSize
            return line
        }
        let ours = CodecCatalogue.codec(for: kind, options: options)
        guard let theirs = offered.codecs.first(where: { $0.isSameCodec(as: ours) }) else { return nil }
        var codec = ours
        codec.payloadType = theirs.payloadType
        codec.feedback = ours.feedback.intersection(theirs.feedback)
        line.codecs = [codec]
        if kind == .video {
            if let repeated = CodecCatalogue.retransmission(of: theirs, in: offered.codecs) {
                line.codecs.append(CodecCatalogue.retransmission(repeated.payloadType, of: theirs.payloadType))
            }
            line.maximumBitrate = options.maximumVideoBitrate
        }
        line.formats = line.codecs.map { String($0.payloadType.rawValue) }
        let known = Set(HeaderExtensionNumbers.offered(for: transceiver.kind).map(\.uri))
        line.extensions = offered.extensions.filter { known.contains($0.uri) }
        line.direction = transceiver.direction.answering(offered.direction)
        line.multiplexesRTCP = true
        line.allowsReducedSizeRTCP = offered.allowsReducedSizeRTCP
        describeStream(of: transceiver, in: &line)
        return line
    }
}
