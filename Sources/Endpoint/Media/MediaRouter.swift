import Calls
import MediaEngine
import MediaTypes
import PeerConnection
import RTPWire
import Realtime
import Rooms
import SDP
import Telemetry

/// Joins the media threads with the peer connections: what is encoded once goes to every peer that is to get it, what
/// comes from a peer goes to its player. Keeps the connections working; see `MediaRouter+Recovery.swift`.
///
/// ```
/// outgoing rings ─▶ MediaRouter ─▶ RemotePeer… ─▶ SRTP ─▶ ICE
/// ICE ─▶ SRTP ─▶ RemotePeer… ─▶ AudioSource / VideoSource
/// ```
/// - Thread: everything on `cb-net`; the supervisor posts its orders to the loop.
// @unchecked: confined to cb-net by every caller posting to the loop.
final class MediaRouter: @unchecked Sendable {
    struct Settings: Sendable {
        var peer: PeerConnectionConfiguration
        var streamID: String
        var minimumBitrate: Bitrate
        var maximumBitrate: Bitrate
    }

    private let loop: NetworkLoop
    private let engine: MediaEngine
    let settings: Settings
    let report: @Sendable (RouterEvent) -> Void
    var peers: [ConnectionID: RemotePeer] = [:]
    /// The same peers, for loops over media.
    private var peerList: [RemotePeer] = []
    private var sendTo = MediaPeers.everybody
    private var playFrom = MediaPeers.everybody
    private var reader: NetworkReader?
    private var housekeeping: NetworkTimer?
    private var isNeeded = false
    /// Whether this machine has an address by which others can be reached.
    var isOnline = true
    var hasBeenOnline = false
    var nextOnlineCheck = MonotonicTime.zero

    init(
        loop: NetworkLoop, engine: MediaEngine, settings: Settings, report: @escaping @Sendable (RouterEvent) -> Void
    ) {
        self.loop = loop
        self.engine = engine
        self.settings = settings
        self.report = report
    }

    func start() {
        let signal = engine.outgoingSignal
        reader = loop.addReader(fileDescriptor: signal.fileDescriptor) { [unowned self] in
            signal.drain()
            sendWaitingMedia()
        }
        housekeeping = loop.makeTimer { [unowned self] in
            scheduleHousekeeping()
        }
        scheduleHousekeeping()
    }

    private func scheduleHousekeeping() {
        let now = MonotonicClock.now()
        keepHouse(at: now)
        housekeeping?.set(now + MediaRouter.housekeepingInterval)
    }

    /// Closes every connection; nothing is reported afterwards.
    func stop() {
        closeAll()
        reader?.cancel()
        housekeeping?.cancel()
        reader = nil
        housekeeping = nil
    }

    // MARK: The room's orders

    /// The room wants a connection named `id`, now or again. One that lives is kept: an offer in it tells whether the far
    /// side has kept its end, too.
    func open(_ id: ConnectionID, isPolite: Bool, startsOffer: Bool) {
        let now = MonotonicClock.now()
        if let peer = peers[id], peer.isPolite == isPolite {
            peer.isSignalled = true
            peer.lostTime = nil
            guard peer.isOver else {
                let isHealthy = peer.isHealthy
                Log.info("connection", "\(id): kept\(isHealthy ? "" : ", and looks for a new path")")
                if !isHealthy { peer.ladder.noteRestart(at: now) }
                peer.connection?.renewSignalling(offers: startsOffer, restartsICE: !isHealthy)
                return
            }
            return connect(peer, startsOffer: startsOffer, at: now)
        }
        close(id)
        let peer = RemotePeer(
            id: id, engine: engine, isPolite: isPolite, sends: sendTo.contains(id), plays: playFrom.contains(id),
            at: now)
        peers[id] = peer
        peerList.append(peer)
        connect(peer, startsOffer: startsOffer, at: now)
    }

    /// Makes the peer's connection, or makes it anew.
    func connect(_ peer: RemotePeer, startsOffer: Bool, at now: MonotonicTime) {
        let id = peer.id
        if peer.connectionNumber > 0 { Log.info("connection", "\(id): made anew") }
        var configuration = settings.peer
        configuration.isPolite = peer.isPolite
        // The ladder decides when.
        configuration.restartsByItself = false
        peer.ladder.noteNewConnection(at: now)
        let number = peer.connectionNumber + 1
        do throws(PeerConnectionError) {
            try peer.open(loop: loop, configuration: configuration, streamID: settings.streamID) { [weak self] event in
                self?.handle(event, of: id, number: number)
            }
            if startsOffer { peer.connection?.negotiate() }
        } catch {
            Log.error("connection", "\(id): \(error)")
            report(.connectionFailed(id, reason: "\(error)"))
        }
        updateNeeds()
    }

    func receive(_ signal: ConnectionSignal, on id: ConnectionID) {
        guard let peer = peers[id], peer.isSignalled else { return }
        switch signal {
        case .description(let type, let sdp):
            guard let type = DescriptionType(rawValue: type) else { return }
            receive(description: sdp, type: type, from: peer)
        case .candidate(let candidate, let mid, let lineIndex):
            peer.connection?.receive(candidate: candidate, mid: mid, lineIndex: lineIndex)
        case .endOfCandidates:
            peer.connection?.endOfRemoteCandidates()
        }
    }

    private func receive(description sdp: String, type: DescriptionType, from peer: RemotePeer) {
        let now = MonotonicClock.now()
        if peer.isOver {
            guard type == .offer else { return }
            connect(peer, startsOffer: false, at: now)
        } else if peer.connection?.isOfNewFarSide(description: sdp, type: type) == true {
            // Its answer to a former connection of ours helps nobody; our offer to the new far side does.
            Log.info("connection", "\(peer.id): the far side began anew")
            connect(peer, startsOffer: type != .offer, at: now)
            guard type == .offer else { return }
        }
        peer.connection?.receive(description: sdp, type: type)
    }

    /// The participant left for good.
    func participantGone(_ id: ConnectionID) {
        close(id)
    }

    /// The participant lost the room, which says nothing about the connection with it: kept while packets come.
    func participantLost(_ id: ConnectionID) {
        guard let peer = peers[id] else { return }
        peer.isSignalled = false
        peer.lostTime = MonotonicClock.now()
    }

    /// This endpoint lost the room. The connections live on; nothing can be agreed on until it is joined again.
    func roomLost() {
        for peer in peers.values { peer.isSignalled = false }
    }

    /// The room is joined again; whom it has not asked a connection for until now is not there, or not yet.
    func roomJoined() {
        let now = MonotonicClock.now()
        for peer in peers.values where !peer.isSignalled && peer.lostTime == nil { peer.lostTime = now }
    }

    /// Says with whom media is exchanged; nothing is negotiated.
    func setRouting(sendTo: MediaPeers, playFrom: MediaPeers) {
        self.sendTo = sendTo
        self.playFrom = playFrom
        var needsKeyFrame = false
        for peer in peers.values {
            let begins = peer.setRouting(sends: sendTo.contains(peer.id), plays: playFrom.contains(peer.id))
            if begins { needsKeyFrame = true }
        }
        updateNeeds()
        if needsKeyFrame { engine.encoding?.requestKeyFrame() }
    }

    /// The participant says what it has muted.
    func setStreamMuted(_ id: ConnectionID, audio: Bool, video: Bool) {
        peers[id]?.setMuted(video: video)
    }

    func close(_ id: ConnectionID) {
        guard let peer = peers.removeValue(forKey: id) else { return }
        peerList.removeAll { $0 === peer }
        peer.close()
        updateNeeds()
    }

    func closeAll() {
        for id in Array(peers.keys) { close(id) }
    }

    var statuses: [ConnectionStatus] {
        peers.values.map(\.status).sorted { $0.id < $1.id }
    }

    // MARK: What the connections say

    private func handle(_ event: PeerConnectionEvent, of id: ConnectionID, number: Int) {
        guard let peer = peers[id], peer.connectionNumber == number else { return }
        switch event {
        case .localDescription(let type, let sdp):
            send(.description(type: type.rawValue, sdp: sdp), to: peer)
        case .localCandidate(let candidate, let mid, let lineIndex):
            send(.candidate(candidate: candidate, mid: mid, lineIndex: lineIndex), to: peer)
        case .endOfCandidates:
            send(.endOfCandidates, to: peer)
        case .stateChanged(let state):
            peer.change(to: state)
            updateNeeds()
            if state == .connected, peer.takesMedia { engine.encoding?.requestKeyFrame() }
            report(.connectionChanged(id, state))
        case .keyFrameRequested:
            if peer.takesMedia { engine.encoding?.requestKeyFrame() }
        case .bitrateAllowed(let bitrate):
            peer.allowedBitrate = bitrate
            updateBitrate()
        case .failed(let reason):
            report(.connectionFailed(id, reason: reason))
        case .remoteTrack, .trackRemoved, .dataChannelOpened, .dataChannelClosed, .messageReceived:
            break
        }
    }

    private func send(_ signal: ConnectionSignal, to peer: RemotePeer) {
        if peer.isSignalled { report(.signal(peer.id, signal)) }
    }

    /// One encoder feeds all peers, so the weakest path decides.
    private func updateBitrate() {
        let weakest = peers.values.compactMap { $0.takesMedia && $0.state == .connected ? $0.allowedBitrate : nil }
            .min()
        guard let weakest else { return }
        engine.encoding?.setBitrate(min(settings.maximumBitrate, max(settings.minimumBitrate, weakest)))
    }

    func updateNeeds() {
        let needed = peers.values.contains { $0.takesMedia }
        updateBitrate()
        guard needed != isNeeded else { return }
        isNeeded = needed
        engine.setNeeded(needed)
    }

    private func sendWaitingMedia() {
        if let packets = engine.capture?.packets {
            while let (header, payload) = packets.read() {
                let now = MonotonicClock.now()
                for index in peerList.indices {
                    peerList[index].sendAudio(
                        payload, timestamp: RTPTimestamp(UInt32(truncatingIfNeeded: header.timestamp)),
                        marker: header.flags & 2 != 0, level: UInt8(header.value), hasVoice: header.flags & 1 != 0,
                        at: now)
                }
                packets.consume()
            }
        }
        if let frames = engine.encoding?.frames {
            while let (header, payload) = frames.read() {
                let now = MonotonicClock.now()
                for index in peerList.indices {
                    peerList[index].sendVideo(
                        payload, timestamp: RTPTimestamp(UInt32(truncatingIfNeeded: header.timestamp)),
                        isKeyFrame: header.flags & 1 != 0, at: now)
                }
                frames.consume()
            }
        }
    }
}
