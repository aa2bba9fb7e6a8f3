import MediaTypes
import Realtime
import SDP
import Telemetry

/// Offer and answer by perfect negotiation: both sides may offer at any time, and when their offers meet, the polite
/// side takes its own back.
extension PeerConnection {
    /// Candidates that wait for the description they belong to.
    private static let heldCandidateLimit = 64
    private static let refused = Counter("peer.refused.signals")

    /// Starts an offer, now or when the exchange that is going on has ended.
    package func negotiate() {
        loop.checkThread()
        guard !isOver else { return }
        guard session.signalingState == .stable else {
            isNegotiationWanted = true
            return
        }
        isNegotiationWanted = false
        gather(nextAgent ?? agent)
        do throws(SDPError) {
            let offer = try session.createOffer()
            try session.setLocal(.offer, offer)
            announce(.offer, offer)
        } catch {
            Log.error("peer", "an offer of our own is refused: \(error)")
            return
        }
        beginConnecting()
        settle()
    }

    /// Takes an offer, an answer or a rollback of the far side; an offer is answered at once.
    ///
    /// What does not fit or cannot be read is counted and ignored; before there is a connection it ends it.
    package func receive(description sdp: String, type: DescriptionType) {
        loop.checkThread()
        guard !isOver else { return }
        let isCollision = type == .offer && session.signalingState == .haveLocalOffer
        isIgnoringOffer = isCollision && !configuration.isPolite
        if isIgnoringOffer {
            Log.debug("peer", "an offer of the far side gives way to ours")
            return
        }
        do {
            try session.setRemote(type, sdp)
            if type == .offer { try answer() }
            if session.signalingState == .stable || type == .provisionalAnswer { applyExchange() }
        } catch {
            refuse(error, type)
        }
        continueNegotiation()
        settle()
    }

    /// Takes a candidate of the far side, `candidate:…`; an empty text means that there are no more.
    package func receive(candidate text: String, mid: String?, lineIndex: Int?) {
        loop.checkThread()
        guard !isOver else { return }
        if text.isEmpty { return endOfRemoteCandidates() }
        guard let candidate = ICECandidate(parsing: text) else {
            refusedSignals += 1
            PeerConnection.refused.increment()
            return
        }
        take(candidate)
        settle()
    }

    /// Tells that the far side has no more candidates.
    package func endOfRemoteCandidates() {
        loop.checkThread()
        guard !isOver else { return }
        hasAllRemoteCandidates = true
        let current = nextAgent ?? agent
        if current.remoteCredentials != nil { current.endOfRemoteCandidates() }
    }

    /// Looks for a new path beside the one in use, by a new agent and an offer with its credentials.
    package func restartICE() {
        loop.checkThread()
        guard !isOver, session.remoteTransport != nil else { return }
        guard session.signalingState == .stable else {
            isRestartWanted = true
            return
        }
        isRestartWanted = false
        guard prepareRestart() else { return }
        negotiate()
    }

    // MARK: The parts of an exchange

    private func answer() throws(SDPError) {
        if session.isRemoteICERestartPending, !prepareRestart() {
            try session.setRemote(.rollback)
            throw .unacceptable(reason: "no ICE agent can be made for the restart")
        }
        let answering = nextAgent ?? agent
        // libnice takes no other role once it gathers; with the wrong one it may choose a path that the far side gives up.
        if !answering.isGathering { answering.setControlling(session.isICEControlling ?? false) }
        gather(answering)
        do throws(SDPError) {
            let text = try session.createAnswer()
            try session.setLocal(.answer, text)
            announce(.answer, text)
        } catch {
            try session.setRemote(.rollback)
            throw error
        }
    }

    /// Makes the agent of a restart and gives its credentials to the session.
    private func prepareRestart() -> Bool {
        // Its credentials were answered already, or its candidates are of former addresses: this restart needs others.
        if let used = nextAgent,
            used.remoteCredentials != nil || used.addresses != configuration.ice.interfaces.localAddresses()
        {
            used.close()
            nextAgent = nil
        }
        if nextAgent == nil {
            let relay = ICEAgentRelay()
            do throws(ICEError) {
                let agent = try ICEAgent(
                    loop: loop, configuration: configuration.ice,
                    isControlling: session.isICEControlling ?? !configuration.isPolite, onEvent: relay.receive,
                    onDatagram: relay.receive)
                relay.connect(self, agent)
                nextAgent = agent
            } catch {
                Log.error("peer", error.description)
                return false
            }
        }
        guard let nextAgent else { return false }
        hasAllRemoteCandidates = false
        session.restartICE(ufrag: nextAgent.localCredentials.ufrag, pwd: nextAgent.localCredentials.pwd)
        for candidate in nextAgent.localCandidates { session.addLocalCandidate(candidate) }
        if nextAgent.isGathered { session.endLocalCandidates() }
        return true
    }

    /// Host candidates are found during the call, so that they stand in the description that is written next.
    private func gather(_ agent: ICEAgent) {
        guard !agent.isGathering else { return }
        bundleMid = nil
        agent.gather()
    }

    private func announce(_ type: DescriptionType, _ text: String) {
        emit(.localDescription(type: type, sdp: text))
        guard let description = SessionDescription(parsing: text) else { return }
        let tag = description.bundleGroups.first?.first
        let index = description.lines.firstIndex { line in
            tag.map { $0 == line.mid } ?? (line.port != 0)
        }
        guard let index else { return }
        let isFirst = bundleMid == nil
        bundleMid = (description.lines[index].mid ?? "", index)
        if isFirst, (nextAgent ?? agent).isGathered { emit(.endOfCandidates) }
    }

    private func refuse(_ error: SDPError, _ type: DescriptionType) {
        refusedSignals += 1
        PeerConnection.refused.increment()
        if case .wrongState = error {
            // A late answer to an offer that was taken back.
            Log.debug("peer", "the far side's \(type.rawValue) comes at the wrong time")
            return
        }
        Log.warning("peer", "the far side's \(type.rawValue) is refused: \(error)")
        if lines.isEmpty { fail("the far side's \(type.rawValue) cannot be used: \(error)") }
    }

    /// Starts what an earlier exchange left to say.
    private func continueNegotiation() {
        guard !isOver, session.signalingState == .stable, session.remoteTransport != nil else { return }
        if isRestartWanted { return restartICE() }
        if isNegotiationWanted || (configuration.offersByItself && session.isNegotiationNeeded) { negotiate() }
    }

    /// Puts what both sides agreed on to work.
    private func applyExchange() {
        guard let remote = session.remoteTransport else { return }
        let isNew = remote.credentials != agent.remoteCredentials
        let target = isNew ? nextAgent ?? agent : agent
        if isNew, target === agent, agent.remoteCredentials != nil {
            // The far side moved on without a restart that both sides took part in.
            Log.warning("peer", "the far side changed its ICE credentials outside a restart")
        }
        if target.remoteCredentials == nil { target.setControlling(session.isICEControlling ?? false) }
        target.setRemote(remote.credentials)
        for candidate in remote.candidates { target.addRemoteCandidate(candidate) }
        let held = heldCandidates
        heldCandidates = []
        for candidate in held { take(candidate) }
        if remote.hasEndOfCandidates || hasAllRemoteCandidates { target.endOfRemoteCandidates() }
        beginConnecting()
        prepareDTLS(remote)
        applyLines()
        openDataIfAgreed()
    }

    private func take(_ candidate: ICECandidate) {
        let agents = [nextAgent, agent].compactMap { $0 }.filter { $0.remoteCredentials != nil }
        let owner =
            if let user = candidate.usernameFragment {
                agents.first { $0.remoteCredentials?.ufrag == user }
            } else if session.signalingState == .haveRemoteOffer {
                nil as ICEAgent?
            } else {
                agents.first
            }
        if let owner {
            owner.addRemoteCandidate(candidate)
        } else if heldCandidates.count < PeerConnection.heldCandidateLimit {
            heldCandidates.append(candidate)
        } else {
            refusedSignals += 1
        }
    }

    private func beginConnecting() {
        guard state == .new else { return }
        change(to: .connecting)
        deadline = MonotonicClock.now() + configuration.timeout
    }

    private func applyLines() {
        lines = session.lines
        media.configure(
            lines.compactMap { $0.mediaConfiguration(cname: configuration.cname) }, at: MonotonicClock.now())
        var tracks: [Int: StreamReference] = [:]
        for line in lines where line.receives && !line.isRejected && line.kind != .data {
            tracks[line.index] = line.remoteStream ?? StreamReference(streamID: "", trackID: "")
        }
        for line in remoteTracks.keys.sorted() where tracks[line] != remoteTracks[line] {
            emit(.trackRemoved(line: line))
        }
        for line in lines where tracks[line.index] != nil && tracks[line.index] != remoteTracks[line.index] {
            guard let kind = line.kind.mediaKind, let stream = tracks[line.index] else { continue }
            emit(.remoteTrack(line: line.index, kind: kind, streamID: stream.streamID, trackID: stream.trackID))
        }
        remoteTracks = tracks
    }
}
