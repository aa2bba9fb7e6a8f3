import Glibc
import MediaTransport
import MediaTypes
import Realtime
import SDP
import Telemetry

/// One connection to a far side: offer and answer, a path, encryption, media and messages.
///
/// ```
/// signalling ⇄ JSEPSession ─┐                      ┌─▶ DTLSTransport ─▶ SRTPTransport (keys)
///                           ▼                      │         └────────▶ SCTPTransport (messages)
/// network ⇄ ICEAgent (libnice) ⇄ DatagramKind ─────┴─▶ SRTPTransport ⇄ MediaSession ⇄ owner, sink
/// ```
/// Everything that happens is one input; after each, what `MediaSession` wants is done and the one timer is set anew.
/// - Thread: `cb-net` only, `init` included; every entry checks it. Other threads reach it by `NetworkLoop.post`.
// @unchecked: confined to cb-net, which every entry checks.
package final class PeerConnection: @unchecked Sendable {
    let loop: NetworkLoop
    let configuration: PeerConnectionConfiguration
    /// The last thing that came from signalling was an offer which lost against ours.
    var isIgnoringOffer = false
    var isNegotiationWanted = false
    /// A restart is to follow the exchange that is going on.
    var isRestartWanted = false
    var session: JSEPSession
    let media: MediaSession

    var agent: ICEAgent
    /// The agent of an ICE restart, until it is connected.
    var nextAgent: ICEAgent?
    /// Where candidates of ours belong; nil until a description of ours is out.
    var bundleMid: (mid: String, lineIndex: Int)?
    var heldCandidates: [ICECandidate] = []
    var hasAllRemoteCandidates = false

    var dtls: DTLSTransport?
    var srtp: SRTPTransport?
    var sctp: SCTPTransport?
    var heldDTLS = HeldDatagrams()
    var heldMedia = HeldDatagrams()
    var wantedChannels: [String] = []

    package internal(set) var state = PeerConnectionState.new
    var remoteTracks: [Int: StreamReference] = [:]
    var lines: [NegotiatedLine] = []
    var deadline = MonotonicTime.distantFuture
    var restartDeadline = MonotonicTime.distantFuture
    /// When media last came since the connection came about; nil: none yet, and then silence means nothing.
    var lastHeard: MonotonicTime?
    /// Authentic media and reports of the far side.
    private(set) var heardPackets: Int64 = 0
    private var silenceCheck = MonotonicTime.distantFuture
    var isDraining = false
    var unsentPackets: Int64 = 0
    var strayDatagrams: Int64 = 0
    var refusedSignals: Int64 = 0
    weak var mediaSink: (any PeerConnectionMediaSink)?
    private var timer: NetworkTimer?
    private var onEvent: ((PeerConnectionEvent) -> Void)?
    private var pendingEvents: [PeerConnectionEvent] = []

    /// - Parameters:
    ///   - mediaSink: held weakly.
    ///   - events: called on `cb-net`.
    package init(
        loop: NetworkLoop, configuration: PeerConnectionConfiguration,
        mediaSink: (any PeerConnectionMediaSink)?, events: @escaping (PeerConnectionEvent) -> Void
    ) throws(PeerConnectionError) {
        loop.checkThread()
        self.loop = loop
        self.configuration = configuration
        self.mediaSink = mediaSink
        onEvent = events
        let relay = ICEAgentRelay()
        do throws(ICEError) {
            agent = try ICEAgent(
                loop: loop, configuration: configuration.ice, isControlling: true, onEvent: relay.receive,
                onDatagram: relay.receive)
        } catch {
            throw .ice(error)
        }
        guard
            let transport = LocalTransport(
                ufrag: agent.localCredentials.ufrag, pwd: agent.localCredentials.pwd,
                fingerprint: configuration.certificate.fingerprint.value, tlsID: PeerConnection.newTLSID())
        else {
            agent.close()
            throw .ice(.library("make ICE credentials"))
        }
        var random = SystemRandomNumberGenerator()
        session = JSEPSession(
            localTransport: transport, sessionID: random.next(), cname: configuration.cname, ssrcSeed: random.next(),
            options: configuration.descriptionOptions)
        media = MediaSession(
            seed: random.next(), localCNAME: configuration.cname, startRate: configuration.startRate,
            unixOffset: PeerConnection.unixOffset())
        media.limitBitrate(minimum: configuration.minimumRate, maximum: configuration.maximumRate)
        relay.connect(self, agent)
        timer = loop.makeTimer { [unowned self] in self.handleTimer() }
    }

    deinit {
        precondition(isOver, "a peer connection is closed before it is released")
    }

    // MARK: What is wanted

    /// Asks for a line for one track; the next exchange brings it.
    /// - Returns: the index of the line in every call and event.
    package func addTransceiver(
        kind: MediaKind, direction: MediaDirection, streamID: String, trackID: String
    ) -> Int {
        loop.checkThread()
        return session.addTransceiver(kind: kind, direction: direction, streamID: streamID, trackID: trackID)
    }

    /// Changes what a line shall do; the next exchange brings it.
    package func setDirection(_ direction: MediaDirection, line: Int) {
        loop.checkThread()
        session.setDirection(direction, line: line)
    }

    /// Gives a line up; the next exchange brings it.
    package func stop(line: Int) {
        loop.checkThread()
        session.stop(line: line)
    }

    /// Asks for a data channel; it opens when the connection is up (after an exchange, if there is no data line yet).
    package func addDataChannel(_ label: String) {
        loop.checkThread()
        guard state != .closed else { return }
        session.addDataChannelLine()
        if let sctp {
            sctp.openChannel(label: label)
        } else {
            wantedChannels.append(label)
        }
    }

    /// Ends the connection: BYE, ABORT and close_notify leave, everything is released, and `closed` is the last event.
    package func close() {
        loop.checkThread()
        finish(.closed, reason: nil)
    }

    /// A snapshot.
    package var statistics: PeerConnectionStatistics {
        loop.checkThread()
        return PeerConnectionStatistics(
            state: state, media: media.statistics,
            path: agent.path.map { "\($0.local)/\($0.remote) \($0.transport)" } ?? "",
            profile: dtls?.srtpKeys?.profile, authenticationFailures: srtp?.counters.authenticationFailures ?? 0,
            replays: srtp?.counters.replays ?? 0, unsentPackets: unsentPackets, strayDatagrams: strayDatagrams,
            refusedSignals: refusedSignals)
    }

    /// The lines of the last finished exchange, rejected ones included.
    package var negotiatedLines: [NegotiatedLine] { lines }
    /// The part played in the DTLS handshake; nil until it is settled.
    package var dtlsRole: DTLSRole? { dtls?.role }

    // MARK: Events, state and time

    func emit(_ event: PeerConnectionEvent) {
        guard onEvent != nil else { return }
        pendingEvents.append(event)
        guard pendingEvents.count == 1 else { return }
        loop.later { self.deliverEvents() }
    }

    private func deliverEvents() {
        let events = pendingEvents
        pendingEvents = []
        for event in events { onEvent?(event) }
        if state == .closed { onEvent = nil }
    }

    func change(to state: PeerConnectionState) {
        guard self.state != state, self.state != .closed, self.state != .failed || state == .closed else { return }
        self.state = state
        emit(.stateChanged(state))
    }

    func fail(_ reason: String) {
        finish(.failed, reason: reason)
    }

    /// Releases the transports; a failed connection still waits for its owner to close it.
    func finish(_ final: PeerConnectionState, reason: String?) {
        guard state != .closed else { return }
        if state != .failed {
            let now = MonotonicClock.now()
            media.close(at: now)
            drainMedia()
            sctp?.close()
            dtls?.close()
            sctp = nil
            srtp = nil
            agent.close()
            nextAgent?.close()
            nextAgent = nil
            timer?.cancel()
            timer = nil
            if let reason { emit(.failed(reason: reason)) }
        }
        change(to: final)
    }

    var isOver: Bool { state == .closed || state == .failed }

    /// Does what an input made necessary and waits for what is next.
    func settle() {
        guard !isOver else { return }
        drainMedia()
        updateTimer()
    }

    private func updateTimer() {
        let soonest = min(
            min(media.nextDeadline, dtls?.nextDeadline ?? .distantFuture), min(deadline, restartDeadline),
            silenceCheck)
        timer?.set(soonest)
    }

    private func handleTimer() {
        let now = MonotonicClock.now()
        if let dtls, dtls.nextDeadline <= now {
            dtls.advance(to: now)
            noteDTLS()
        }
        guard !isOver else { return }
        if media.nextDeadline <= now { media.advance(to: now) }
        if silenceCheck <= now { checkSilence(at: now) }
        if restartDeadline <= now {
            restartDeadline = .distantFuture
            restartICE()
        }
        if deadline <= now {
            deadline = .distantFuture
            fail(
                state == .disconnected
                    ? "the far side does not answer any more" : "no connection to the far side came about in time")
        }
        settle()
    }

    /// Notes that media came. What libnice takes for itself, the checks of ICE, does not count.
    func noteHeard(at now: MonotonicTime) {
        heardPackets += 1
        if lastHeard == nil { silenceCheck = now + configuration.silenceLimit }
        lastHeard = now
        // The old path came back before a new one was found.
        if state == .disconnected, agent.state == .connected { noteConnected() }
    }

    /// Notices that the far side is gone earlier than consent does, which takes libnice 10 s or, since 0.1.22, 30 s.
    private func checkSilence(at now: MonotonicTime) {
        silenceCheck = .distantFuture
        guard state == .connected, let heard = lastHeard else { return }
        guard now >= heard + configuration.silenceLimit else {
            silenceCheck = heard + configuration.silenceLimit
            return
        }
        lastHeard = nil
        noteDisconnected()
    }

    /// 128 random bits (RFC 8842 asks for 120) in hexadecimal.
    private static func newTLSID() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: (0..<32).map { _ in digits[Int(random.next() & 15)] }, as: UTF8.self)
    }

    /// Wall-clock time minus monotonic time.
    private static func unixOffset() -> Interval {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        let unix = Int64(wall.tv_sec) * 1_000_000_000 + Int64(wall.tv_nsec)
        return Interval(nanoseconds: unix - MonotonicClock.now().nanoseconds)
    }
}
