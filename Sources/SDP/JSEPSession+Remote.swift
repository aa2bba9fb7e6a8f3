import MediaTypes

extension JSEPSession {
    /// Applies a description of the far side. A remote offer during our own pending offer takes ours back first.
    /// - Parameter text: what signalling delivered; ignored for a rollback.
    /// - Errors: `malformed`, `wrongState`, or `unacceptable`; the session is then as before the call.
    package mutating func setRemote(_ type: DescriptionType, _ text: String = "") throws(SDPError) {
        if type == .rollback {
            guard signalingState == .haveRemoteOffer || signalingState == .haveRemoteProvisionalAnswer else {
                throw .wrongState(operation: "a rollback", state: signalingState)
            }
            return rollBack()
        }
        guard let description = SessionDescription(parsing: text) else { throw .malformed }
        // Work on a copy, so that an offer refused half-way leaves no trace.
        var changed = self
        switch type {
        case .offer: try changed.setRemoteOffer(description)
        case .answer, .provisionalAnswer: try changed.setRemoteAnswer(description, isFinal: type == .answer)
        case .rollback: break
        }
        self = changed
    }

    /// Whether a description comes from a far side that began anew since the last finished exchange: its certificate, its
    /// tls-id or its part in DTLS is another one (RFC 8842 §5). This session then refuses it; a new one can take it.
    package func isOfNewFarSide(_ type: DescriptionType, _ text: String) -> Bool {
        guard let before = stableRemoteTransport, type != .rollback,
            let description = SessionDescription(parsing: text)
        else { return false }
        let live = description.lines.indices.map { !description.lines[$0].isRejected }
        guard let tag = Self.tag(of: description, among: live) else { return false }
        let line = description.lines[tag]
        guard !line.fingerprints.isEmpty, line.credentials != nil else { return false }
        if before.isOtherAssociation(fingerprints: line.fingerprints, tlsID: line.tlsID) { return true }
        switch line.setup {
        case .active: return before.localRole == .client
        case .passive: return before.localRole == .server
        case .actpass, nil: return false
        }
    }

    /// The credentials of ours that the far side was told last.
    package var localCredentials: ICECredentials { localTransport.credentials }

    private mutating func setRemoteOffer(_ offer: SessionDescription) throws(SDPError) {
        switch signalingState {
        case .stable: break
        case .haveLocalOffer, .haveRemoteOffer: rollBack()
        case .haveLocalProvisionalAnswer, .haveRemoteProvisionalAnswer:
            throw .wrongState(operation: "an offer", state: signalingState)
        }
        try checkShape(of: offer)
        let accepted = acceptableLines(of: offer)
        if let tag = Self.tag(of: offer, among: accepted) {
            let role: DTLSRole
            switch offer.lines[tag].setup {
            case .active: role = .server
            case .passive: role = .client
            case .actpass, nil: role = remoteTransport?.localRole ?? .client
            }
            try readTransport(of: offer, tag: tag, live: accepted, role: role)
        }
        isRemoteICERestartPending =
            stableRemoteTransport != nil && remoteTransport?.credentials != stableRemoteTransport?.credentials
        for (index, line) in offer.lines.enumerated() { associate(line, at: index, isAccepted: accepted[index]) }
        pendingRemote = offer
        preparedOffer = nil
        signalingState = .haveRemoteOffer
    }

    private mutating func setRemoteAnswer(_ answer: SessionDescription, isFinal: Bool) throws(SDPError) {
        guard signalingState == .haveLocalOffer || signalingState == .haveRemoteProvisionalAnswer,
            let offer = pendingLocal
        else { throw .wrongState(operation: "an answer", state: signalingState) }
        guard answer.lines.count == offer.lines.count else {
            throw .unacceptable(reason: "the answer has \(answer.lines.count) lines for \(offer.lines.count) offered")
        }
        var live = [Bool](repeating: false, count: answer.lines.count)
        for (index, line) in answer.lines.enumerated() {
            let offered = offer.lines[index]
            guard line.media == offered.media, line.mid == nil || line.mid == offered.mid else {
                throw .unacceptable(reason: "line \(index) of the answer is not the one that was offered")
            }
            live[index] = line.port != 0 && !offered.isRejected
            guard !live[index] || line.kind == .data || line.multiplexesRTCP else {
                throw .unacceptable(reason: "the far side does not multiplex RTP and RTCP (a=rtcp-mux)")
            }
        }
        let liveCount = live.count { $0 }
        let bundle = Set(answer.bundleGroups.first ?? [])
        let isBundled = answer.lines.indices.allSatisfy { !live[$0] || bundle.contains(offer.lines[$0].mid ?? "") }
        guard isBundled || liveCount <= 1 else {
            throw .unacceptable(reason: "the far side does not carry all lines on one transport (BUNDLE)")
        }
        if let tag = Self.tag(of: answer, among: live) {
            let role: DTLSRole
            switch answer.lines[tag].setup {
            case .active, nil: role = .server
            case .passive: role = .client
            case .actpass: throw .unacceptable(reason: "the answer does not decide who starts DTLS (a=setup:actpass)")
            }
            try readTransport(of: answer, tag: tag, live: live, role: role)
        }
        pendingRemote = answer
        negotiate(local: offer, remote: answer)
        if isFinal {
            commit(offeredHere: true)
        } else {
            signalingState = .haveRemoteProvisionalAnswer
        }
    }

    /// Refuses offers that rewrite what was agreed before (RFC 3264 §8).
    private func checkShape(of offer: SessionDescription) throws(SDPError) {
        let known = currentRemote?.lines ?? []
        guard offer.lines.count >= known.count else {
            throw .unacceptable(reason: "the offer drops lines that were agreed before")
        }
        for (index, (before, now)) in zip(known, offer.lines).enumerated() {
            // A rejected line's place may be taken by a new line with a new mid.
            if let mid = before.mid, mid == now.mid || now.mid == nil, before.media == now.media { continue }
            if before.mid == nil, before.media == now.media { continue }
            let isFree = before.isRejected || currentLocal?.lines[index].isRejected == true
            guard isFree else { throw .unacceptable(reason: "the offer changes line \(index) into another one") }
        }
    }

    /// The line whose transport counts: the first live one in the order of the bundle.
    private static func tag(of description: SessionDescription, among live: [Bool]) -> Int? {
        for mid in description.bundleGroups.first ?? [] {
            if let index = description.lines.firstIndex(where: { $0.mid == mid }), live[index] { return index }
        }
        return live.firstIndex(of: true)
    }

    private mutating func readTransport(
        of description: SessionDescription, tag: Int, live: [Bool], role: DTLSRole
    ) throws(SDPError) {
        let line = description.lines[tag]
        guard let credentials = line.credentials else {
            throw .unacceptable(reason: "the description has no usable ICE credentials")
        }
        guard !line.fingerprints.isEmpty else {
            throw .unacceptable(reason: "the description has no certificate fingerprint this endpoint knows (sha-256)")
        }
        if let before = stableRemoteTransport {
            guard !before.isOtherAssociation(fingerprints: line.fingerprints, tlsID: line.tlsID),
                before.localRole == role
            else {
                throw .unacceptable(reason: "the far side wants a new DTLS association inside a running connection")
            }
        }
        let liveLines = description.lines.indices.filter { live[$0] }.map { description.lines[$0] }
        var candidates: [ICECandidate] = []
        for candidate in liveLines.flatMap(\.candidates) where candidate.component == 1 {
            guard candidates.count < SessionDescription.maximumEntriesPerLine else { break }
            if !candidates.contains(candidate) { candidates.append(candidate) }
        }
        let data = liveLines.first { $0.kind == .data }
        var size = data?.maxMessageSize ?? DataChannelTransport.defaultRemoteMaxMessageSize
        if size == 0 { size = .max }
        let before = stableRemoteTransport
        remoteTransport = RemoteTransport(
            credentials: credentials, fingerprints: line.fingerprints, tlsID: line.tlsID, localRole: role,
            candidates: candidates,
            hasEndOfCandidates: line.hasEndOfCandidates, isICELite: description.isICELite,
            supportsTrickle: line.supportsTrickle,
            sctpPort: data.map { $0.sctpPort ?? DataChannelTransport.port }, maxMessageSize: size,
            generation: before.map { $0.generation + ($0.credentials == credentials ? 0 : 1) } ?? 0)
    }
}
