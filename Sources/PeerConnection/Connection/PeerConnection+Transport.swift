import MediaTypes
import Realtime
import SDP
import Telemetry

/// The path and its encryption: what ICE finds, DTLS secures, and where each datagram goes.
extension PeerConnection {
    func handle(_ event: ICEAgent.Event, from source: ICEAgent) {
        guard !isOver, source === agent || source === nextAgent else { return }
        switch event {
        case .candidate(let candidate):
            // A candidate of the agent in use while another one is gathering has nobody to tell.
            guard source === (nextAgent ?? agent) else { return }
            session.addLocalCandidate(candidate)
            if let bundleMid {
                emit(.localCandidate(candidate: candidate.text, mid: bundleMid.mid, lineIndex: bundleMid.lineIndex))
            }
        case .gathered:
            guard source === (nextAgent ?? agent) else { return }
            session.endLocalCandidates()
            if bundleMid != nil { emit(.endOfCandidates) }
        case .pathSelected(let path):
            Log.info("peer", "path: \(path.local)/\(path.remote) over \(path.transport)")
        case .stateChanged(let state): iceChanged(to: state, source)
        }
        settle()
    }

    private func iceChanged(to iceState: ICEAgent.State, _ source: ICEAgent) {
        switch iceState {
        case .new, .connecting: break
        case .connected:
            if source === nextAgent {
                agent.close()
                agent = source
                nextAgent = nil
            }
            if let dtls, dtls.state == .new {
                dtls.start(at: MonotonicClock.now())
                noteDTLS()
            }
            noteConnected()
        case .failed:
            if source === nextAgent {
                // The path in use may still be good.
                nextAgent?.close()
                nextAgent = nil
            } else if state == .connected {
                noteDisconnected()
            } else if state == .connecting, hasAllRemoteCandidates, agent.isGathered {
                fail("no path to the far side was found")
            }
        }
    }

    /// The far side does not answer any more: looks for a new path, and fails when none comes about in time.
    func noteDisconnected() {
        change(to: .disconnected)
        let now = MonotonicClock.now()
        deadline = now + configuration.timeout
        // The impolite side goes first, so that the two restarts do not meet.
        if configuration.restartsByItself {
            restartDeadline = now + (configuration.isPolite ? .seconds(Int64(3)) : .zero)
        }
    }

    func noteConnected() {
        guard agent.state == .connected, dtls?.state == .connected, srtp != nil || sctp != nil, !isOver else { return }
        deadline = .distantFuture
        restartDeadline = .distantFuture
        guard state != .connected else { return }
        change(to: .connected)
        lastHeard = nil
        // Whoever comes, or comes back, needs a picture to start from.
        for line in lines where line.kind == .video && line.sends { emit(.keyFrameRequested(line: line.index)) }
    }

    /// Makes the DTLS association when it is known who begins.
    func prepareDTLS(_ remote: RemoteTransport) {
        guard dtls == nil, let role = remote.localRole else { return }
        do throws(DTLSError) {
            let dtls = try DTLSTransport(
                certificate: configuration.certificate, role: role, fingerprints: remote.fingerprints,
                profiles: configuration.srtpProfiles,
                send: { [unowned self] in self.send($0) }, deliver: { [unowned self] in self.sctp?.receive($0) })
            self.dtls = dtls
            if agent.state == .connected {
                dtls.start(at: MonotonicClock.now())
                noteDTLS()
            }
        } catch {
            fail(error.description)
        }
    }

    /// Looks at what became of the handshake.
    func noteDTLS() {
        guard let dtls, !isOver else { return }
        switch dtls.state {
        case .new: break
        case .handshaking:
            for datagram in heldDTLS.takeAll() { datagram.withUnsafeBytes { receive(dtls: $0) } }
        case .connected: startProtectedLayers(dtls)
        case .closed where dtls.isClosedByPeer:
            Log.info("peer", "the far side closed the connection")
            finish(.closed, reason: nil)
        case .closed: break
        case .failed(let reason): fail(reason)
        }
    }

    private func startProtectedLayers(_ dtls: DTLSTransport) {
        if srtp == nil, let keys = dtls.srtpKeys {
            do throws(SRTPError) {
                srtp = try SRTPTransport(keys: keys)
                // Lines agreed on before are sent from now on.
                for datagram in heldMedia.takeAll() { replay(datagram) }
            } catch {
                return fail(error.description)
            }
        }
        if srtp == nil, lines.contains(where: { $0.kind != .data && !$0.isRejected }) {
            return fail("the far side agreed on media but on no SRTP profile")
        }
        openDataIfAgreed()
        noteConnected()
    }

    /// Starts SCTP once both sides have a data line and DTLS is up.
    func openDataIfAgreed() {
        guard sctp == nil, !isOver, let dtls, dtls.state == .connected, let remote = session.remoteTransport,
            let port = remote.sctpPort, lines.contains(where: { $0.kind == .data && !$0.isRejected })
        else { return }
        let transport = SCTPTransport(
            loop: loop, role: dtls.role, remotePort: port, remoteMaximumMessageByteCount: remote.maxMessageSize,
            onPacket: { [unowned self] in _ = self.dtls?.sendApplicationData($0) },
            onEvent: { [unowned self] in self.handle($0) })
        sctp = transport
        for label in wantedChannels { transport.openChannel(label: label) }
        wantedChannels = []
    }

    private func handle(_ event: SCTPTransport.Event) {
        switch event {
        case .channelOpened(let label): emit(.dataChannelOpened(label: label))
        case .channelClosed(let label): emit(.dataChannelClosed(label: label))
        case .text(let label, let text): emit(.messageReceived(label: label, text: text))
        // The product's messages are text.
        case .binary: strayDatagrams += 1
        case .ended: Log.debug("peer", "the far side ended the data channels")
        }
    }

    // MARK: Datagrams

    func receive(datagram: UnsafeMutableRawBufferPointer) {
        guard !isOver else { return }
        switch DatagramKind(UnsafeRawBufferPointer(datagram)) {
        case .dtls:
            if let dtls, dtls.state != .new {
                receive(dtls: UnsafeRawBufferPointer(datagram))
            } else if !heldDTLS.hold(UnsafeRawBufferPointer(datagram)) {
                strayDatagrams += 1
            }
        case .rtp, .rtcp:
            if srtp != nil {
                receive(media: datagram)
            } else if !heldMedia.hold(UnsafeRawBufferPointer(datagram)) {
                strayDatagrams += 1
            }
        case nil: strayDatagrams += 1
        }
        settle()
    }

    private func receive(dtls bytes: UnsafeRawBufferPointer) {
        guard let dtls else { return }
        let before = dtls.state
        dtls.receive(bytes, at: MonotonicClock.now())
        if dtls.state != before { noteDTLS() }
    }

    private func replay(_ datagram: [UInt8]) {
        var datagram = datagram
        datagram.withUnsafeMutableBytes { receive(media: $0) }
    }

    private func receive(media datagram: UnsafeMutableRawBufferPointer) {
        guard let srtp else { return }
        let now = MonotonicClock.now()
        switch DatagramKind(UnsafeRawBufferPointer(datagram)) {
        case .rtp:
            guard let count = srtp.openRTP(datagram) else { return }
            noteHeard(at: now)
            media.receiveRTP(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(datagram)[..<count]), at: now)
        case .rtcp:
            guard let count = srtp.openRTCP(datagram) else { return }
            noteHeard(at: now)
            media.receiveRTCP(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(datagram)[..<count]), at: now)
        case .dtls, nil: break
        }
        drainMedia()
    }

    func send(_ datagram: UnsafeRawBufferPointer) {
        if !agent.send(datagram) { unsentPackets += 1 }
    }
}
