import Calls
import MediaEngine
import MediaTypes
import PeerConnection
import RTPWire
import Realtime
import Rooms
import SDP
import Telemetry

/// Joins the media threads with the peer connections: what is encoded once goes to every peer, what comes from a peer
/// goes to its player.
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

    /// A connection that failed for good, to be made anew.
    private struct Lost {
        var isPolite: Bool
        var startsOffer: Bool
        var reopenTime: MonotonicTime
    }

    static let housekeepingInterval = Interval.milliseconds(100)
    /// The far side needs a moment to see the failure, too.
    static let reopenDelay = Interval.seconds(2)

    private let loop: NetworkLoop
    private let engine: MediaEngine
    private let settings: Settings
    private let report: @Sendable (RouterEvent) -> Void
    private var peers: [ConnectionID: RemotePeer] = [:]
    private var lost: [ConnectionID: Lost] = [:]
    private var reader: NetworkReader?
    private var housekeeping: NetworkTimer?
    private var isNeeded = false

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
            keepHouse()
        }
        keepHouse()
    }

    private func keepHouse() {
        let now = MonotonicClock.now()
        for peer in peers.values { peer.askForKeyFrameIfNeeded() }
        for (id, connection) in lost where connection.reopenTime <= now {
            open(id, isPolite: connection.isPolite, startsOffer: connection.startsOffer)
        }
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

    /// Makes the connection named `id`; an older one of the same name is replaced.
    func open(_ id: ConnectionID, isPolite: Bool, startsOffer: Bool) {
        close(id)
        var configuration = settings.peer
        configuration.isPolite = isPolite
        let peer = RemotePeer(id: id, engine: engine, isPolite: isPolite, startsOffer: startsOffer)
        do throws(PeerConnectionError) {
            try peer.open(loop: loop, configuration: configuration, streamID: settings.streamID) { [weak self] event in
                self?.handle(event, of: id)
            }
            peers[id] = peer
            if startsOffer { peer.connection?.negotiate() }
        } catch {
            peer.close()
            Log.error("connection", "\(id): \(error)")
            report(.connectionFailed(id, reason: "\(error)"))
        }
    }

    func receive(_ signal: ConnectionSignal, on id: ConnectionID) {
        guard let connection = peers[id]?.connection else { return }
        switch signal {
        case .description(let type, let sdp):
            guard let type = DescriptionType(rawValue: type) else { return }
            connection.receive(description: sdp, type: type)
        case .candidate(let candidate, let mid, let lineIndex):
            connection.receive(candidate: candidate, mid: mid, lineIndex: lineIndex)
        case .endOfCandidates:
            connection.endOfRemoteCandidates()
        }
    }

    func close(_ id: ConnectionID) {
        lost[id] = nil
        guard let peer = peers.removeValue(forKey: id) else { return }
        peer.close()
        updateNeeds()
    }

    func closeAll() {
        lost = [:]
        for id in Array(peers.keys) { close(id) }
    }

    var statuses: [ConnectionStatus] {
        peers.values.map(\.status).sorted { $0.id < $1.id }
    }

    private func handle(_ event: PeerConnectionEvent, of id: ConnectionID) {
        guard let peer = peers[id] else { return }
        switch event {
        case .localDescription(let type, let sdp):
            report(.signal(id, .description(type: type.rawValue, sdp: sdp)))
        case .localCandidate(let candidate, let mid, let lineIndex):
            report(.signal(id, .candidate(candidate: candidate, mid: mid, lineIndex: lineIndex)))
        case .endOfCandidates:
            report(.signal(id, .endOfCandidates))
        case .stateChanged(let state):
            peer.change(to: state)
            if state == .connected { engine.encoding?.requestKeyFrame() }
            if state == .failed {
                lost[id] = Lost(
                    isPolite: peer.isPolite, startsOffer: peer.startsOffer,
                    reopenTime: MonotonicClock.now() + MediaRouter.reopenDelay)
            }
            updateNeeds()
            report(.connectionChanged(id, state))
        case .keyFrameRequested:
            engine.encoding?.requestKeyFrame()
        case .bitrateAllowed(let bitrate):
            peer.allowedBitrate = bitrate
            updateBitrate()
        case .failed(let reason):
            report(.connectionFailed(id, reason: reason))
        case .remoteTrack, .trackRemoved, .dataChannelOpened, .dataChannelClosed, .messageReceived:
            break
        }
    }

    /// One encoder feeds all peers, so the weakest path decides.
    private func updateBitrate() {
        let weakest = peers.values.compactMap { $0.isConnected ? $0.allowedBitrate : nil }.min()
        guard let weakest else { return }
        engine.encoding?.setBitrate(min(settings.maximumBitrate, max(settings.minimumBitrate, weakest)))
    }

    private func updateNeeds() {
        let needed = peers.values.contains { $0.isConnected }
        updateBitrate()
        guard needed != isNeeded else { return }
        isNeeded = needed
        engine.setNeeded(needed)
    }

    private func sendWaitingMedia() {
        if let packets = engine.capture?.packets {
            while let (header, payload) = packets.read() {
                let now = MonotonicClock.now()
                for peer in peers.values where peer.isConnected {
                    peer.connection?.sendAudio(
                        payload, timestamp: RTPTimestamp(UInt32(truncatingIfNeeded: header.timestamp)),
                        marker: header.flags & 2 != 0, audioLevelDBov: UInt8(header.value),
                        voiceActivity: header.flags & 1 != 0, at: now)
                }
                packets.consume()
            }
        }
        if let frames = engine.encoding?.frames {
            while let (header, payload) = frames.read() {
                let now = MonotonicClock.now()
                for peer in peers.values where peer.isConnected {
                    peer.connection?.sendVideo(
                        payload, timestamp: RTPTimestamp(UInt32(truncatingIfNeeded: header.timestamp)),
                        isKeyFrame: header.flags & 1 != 0, at: now)
                }
                frames.consume()
            }
        }
    }
}
