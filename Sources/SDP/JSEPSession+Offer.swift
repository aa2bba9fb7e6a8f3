import MediaTypes

extension JSEPSession {
    /// Writes an offer of everything asked for (RFC 8829 §5.2); nothing changes until it is set.
    /// - Errors: `wrongState` while the far side's offer waits for an answer.
    package mutating func createOffer() throws(SDPError) -> String {
        guard signalingState == .stable || signalingState == .haveLocalOffer else {
            throw .wrongState(operation: "creating an offer", state: signalingState)
        }
        let base = pendingLocal ?? currentLocal
        var prepared = PreparedDescription(description: emptyDescription(), text: "")
        prepared.restartsICE = restartCredentials != nil
        var waiting = transceivers.filter(\.isWaitingForPlace)[...]
        var usedMids = Set([currentLocal, currentRemote, pendingLocal].flatMap { $0?.lines.compactMap(\.mid) ?? [] })

        func place(_ transceiver: Transceiver, in session: JSEPSession) {
            let mid = Self.freeMid(&usedMids)
            let index = prepared.description.lines.count
            prepared.places[transceiver.index] = Transceiver.Place(mediaLineIndex: index, mid: mid)
            let written = prepared.description.lines
            prepared.description.lines.append(session.newLine(for: transceiver, mid: mid, after: written))
        }

        for (index, line) in (base?.lines ?? []).enumerated() {
            if let position = position(atMediaLine: index), !transceivers[position].isStopped,
                !transceivers[position].isFinished
            {
                prepared.description.lines.append(renewedLine(line, for: transceivers[position]))
            } else if line.isRejected || (pendingLocal == nil && currentRemote?.lines[index].isRejected == true),
                let next = waiting.popFirst()
            {
                place(next, in: self)
            } else {
                prepared.description.lines.append(Self.rejectedLine(like: line))
            }
        }
        while let next = waiting.popFirst() {
            guard prepared.description.lines.count < SessionDescription.maximumLineCount else {
                throw .unacceptable(reason: "more than \(SessionDescription.maximumLineCount) lines in one connection")
            }
            place(next, in: self)
        }
        for index in prepared.description.lines.indices where !prepared.description.lines[index].isRejected {
            addTransport(to: &prepared.description.lines[index], setup: .actpass, restartsICE: prepared.restartsICE)
        }
        prepared.description.bundleGroups = [
            prepared.description.lines.filter { !$0.isRejected }.compactMap(\.mid)
        ]
        prepared.description.allowsMixedExtensions = true
        prepared.text = prepared.description.text
        preparedOffer = prepared
        return prepared.text
    }

    /// A description of ours without lines, one version on.
    mutating func emptyDescription() -> SessionDescription {
        sessionVersion += 1
        return SessionDescription(sessionID: sessionID, sessionVersion: sessionVersion)
    }

    /// The line that refuses `line` (RFC 8829 §5.3.1): its kind and formats, and nothing else of it.
    static func rejectedLine(like line: MediaDescription) -> MediaDescription {
        var rejected = MediaDescription(media: line.media, port: 0, proto: line.proto, formats: line.formats)
        rejected.mid = line.mid
        rejected.direction = .inactive
        return rejected
    }

    /// Fills in what all live lines share.
    func addTransport(to line: inout MediaDescription, setup: DTLSSetup, restartsICE: Bool) {
        line.credentials = (restartsICE ? restartCredentials : nil) ?? localTransport.credentials
        line.supportsTrickle = true
        line.fingerprints = [localTransport.fingerprint]
        line.setup = setup
        // An answer names the association only where the offer does (RFC 8842 §5.3).
        if setup == .actpass || remoteTransport?.tlsID != nil { line.tlsID = localTransport.tlsID }
        line.candidates = localCandidates
        line.hasEndOfCandidates = hasAllLocalCandidates
    }

    /// Writes what `transceiver` sends into a line, or removes it when the line does not send.
    func describeStream(of transceiver: Transceiver, in line: inout MediaDescription) {
        line.stream = nil
        line.sources = []
        line.sourceGroups = []
        guard line.direction.sends else { return }
        let stream = transceiver.stream
        line.stream = stream
        line.sources = [MediaSource(ssrc: transceiver.ssrc, cname: cname, stream: stream)]
        guard line.codecs.contains(where: { $0.associatedPayloadType != nil }) else { return }
        line.sources.append(MediaSource(ssrc: transceiver.retransmissionSSRC, cname: cname, stream: stream))
        line.sourceGroups = [
            MediaSourceGroup(semantics: "FID", ssrcs: [transceiver.ssrc, transceiver.retransmissionSSRC])
        ]
    }

    /// The smallest number that is no mid yet: short, because it travels in packets.
    private static func freeMid(_ used: inout Set<String>) -> String {
        var number = 0
        while !used.insert(String(number)).inserted { number += 1 }
        return String(number)
    }

    /// An existing line in a new offer: its numbers stay, its direction and stream are those of now.
    private func renewedLine(_ line: MediaDescription, for transceiver: Transceiver) -> MediaDescription {
        var line = line
        line.port = 9
        guard transceiver.kind != .data else { return line }
        line.direction = transceiver.direction
        describeStream(of: transceiver, in: &line)
        return line
    }

    private func newLine(for transceiver: Transceiver, mid: String, after written: [MediaDescription])
        -> MediaDescription
    {
        guard let kind = transceiver.kind.mediaKind else { return Self.newDataLine(mid: mid) }
        var line = MediaDescription(media: kind.rawValue, port: 9, proto: "UDP/TLS/RTP/SAVPF", formats: [])
        line.mid = mid
        line.direction = transceiver.direction
        line.multiplexesRTCP = true
        line.allowsReducedSizeRTCP = true
        if kind == .video { line.maximumBitrate = options.maximumVideoBitrate }
        let known = (written + [currentLocal, currentRemote].flatMap { $0?.lines ?? [] })
        line.codecs = newCodecs(for: kind, knownCodecs: known.flatMap(\.codecs))
        line.formats = line.codecs.map { String($0.payloadType.rawValue) }
        line.extensions = Self.newExtensions(for: transceiver.kind, known: known.flatMap(\.extensions))
        describeStream(of: transceiver, in: &line)
        return line
    }

    private static func newDataLine(mid: String) -> MediaDescription {
        var line = MediaDescription(
            media: LineKind.data.rawValue, port: 9, proto: "UDP/DTLS/SCTP", formats: ["webrtc-datachannel"])
        line.mid = mid
        line.sctpPort = DataChannelTransport.port
        line.maxMessageSize = DataChannelTransport.maxMessageSize
        return line
    }

    private func newCodecs(for kind: MediaKind, knownCodecs: [RTPCodec]) -> [RTPCodec] {
        var codec = CodecCatalogue.codec(for: kind, options: options)
        codec.payloadType = CodecCatalogue.payloadType(for: codec, knownCodecs: knownCodecs, taken: [])
        guard kind == .video else { return [codec] }
        // The retransmission format of the same codec on an earlier line has the right number, any other has not.
        if let known = CodecCatalogue.retransmission(of: codec, in: knownCodecs) {
            return [codec, CodecCatalogue.retransmission(known.payloadType, of: codec.payloadType)]
        }
        let type = CodecCatalogue.payloadType(
            for: CodecCatalogue.retransmission, knownCodecs: knownCodecs, taken: [codec.payloadType])
        return [codec, CodecCatalogue.retransmission(type, of: codec.payloadType)]
    }

    /// Our extensions under the numbers that the connection already uses; in a bundle one number has one meaning.
    private static func newExtensions(for kind: LineKind, known: [HeaderExtension]) -> [HeaderExtension] {
        var used = Dictionary(known.map { ($0.id, $0.uri) }, uniquingKeysWith: { first, _ in first })
        return HeaderExtensionNumbers.offered(for: kind).compactMap { wanted in
            if let same = known.first(where: { $0.uri == wanted.uri }) { return same }
            let candidates = [wanted.id] + Array(1...14)
            guard let id = candidates.first(where: { used[$0] == nil }) else { return nil }
            used[id] = wanted.uri
            return HeaderExtension(id: id, uri: wanted.uri)
        }
    }
}
