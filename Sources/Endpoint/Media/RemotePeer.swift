import Calls
import Codecs
import MediaEngine
import MediaTransport
import MediaTypes
import PeerConnection
import Rooms
import SDP
import Telemetry

/// One other participant: the connection with it, which may be replaced by a new one, and what plays its stream.
///
/// - Thread: `cb-net` only.
final class RemotePeer: PeerConnectionMediaSink {
    let id: ConnectionID
    /// Gives way when both sides offer at once.
    let isPolite: Bool
    /// The connection now in use; an event of an earlier one has another number.
    private(set) var connectionNumber = 0
    private(set) var state = PeerConnectionState.new
    /// What the path to this participant carries, as its feedback tells; nil before the first.
    var allowedBitrate: Bitrate?
    /// Whether signals reach the participant: not while it or this endpoint has lost the room.
    var isSignalled = true
    /// Since when the participant is gone from the room, while this connection with it lives on; nil: it is there.
    var lostTime: MonotonicTime?
    var ladder: ConnectionLadder
    var reportedHealth = MediaHealth.noData
    /// When the last packet came, to a tenth of a second.
    private(set) var heardTime: MonotonicTime?
    private var heardPackets: Int64 = 0
    private(set) var sends: Bool
    private(set) var plays: Bool
    private(set) var isVideoMuted = false
    /// What is sent next must be a key frame: the far side did not get what came before.
    private var awaitsKeyFrame = true
    private let engine: MediaEngine
    private var audioSource: AudioSource?
    private var videoSource: VideoSource?
    private var videoLine: Int?
    private var hasReportedNoDecoder = false
    /// Made after the sink that it holds weakly; there from `open` to `close`.
    private(set) var connection: PeerConnection?

    init(id: ConnectionID, engine: MediaEngine, isPolite: Bool, sends: Bool, plays: Bool, at now: MonotonicTime) {
        self.id = id
        self.engine = engine
        self.isPolite = isPolite
        self.sends = sends
        self.plays = plays
        ladder = ConnectionLadder(isPolite: isPolite, at: now)
    }

    /// Makes the connection with a line per kind of track: what this endpoint has is sent, everything is received. An older
    /// connection is closed; what it played stays until the new one has something newer.
    func open(
        loop: NetworkLoop, configuration: PeerConnectionConfiguration, streamID: String,
        events: @escaping (PeerConnectionEvent) -> Void
    ) throws(PeerConnectionError) {
        closeConnection()
        connectionNumber += 1
        let connection = try PeerConnection(
            loop: loop, configuration: configuration, mediaSink: self, events: events)
        self.connection = connection
        _ = connection.addTransceiver(
            kind: .audio,
            direction: MediaDirection(sends: engine.capture != nil, receives: engine.playback != nil),
            streamID: streamID, trackID: "microphone")
        _ = connection.addTransceiver(
            kind: .video, direction: MediaDirection(sends: engine.encoding != nil, receives: engine.screen != nil),
            streamID: streamID, trackID: "camera")
    }

    func close() {
        stopPlaying()
        closeConnection()
    }

    private func closeConnection() {
        connection?.close()
        connection = nil
        state = .new
        heardPackets = 0
        allowedBitrate = nil
        videoLine = nil
        awaitsKeyFrame = true
    }

    private func stopPlaying() {
        if let audioSource { engine.playback?.remove(audioSource) }
        if let videoSource { engine.screen?.remove(videoSource) }
        audioSource = nil
        videoSource = nil
    }

    /// Only a new connection can help.
    var isOver: Bool { connection == nil || state == .failed || state == .closed }

    /// Media of ours may leave: also while the far side does not answer, until the path's consent ends.
    var takesMedia: Bool {
        guard sends, state == .connected || state == .disconnected, let connection else { return false }
        return connection.isSendingPossible
    }

    /// Whether media has come lately on a path that is up.
    var isHealthy: Bool { state == .connected && ladder.health != .noData }

    func change(to newState: PeerConnectionState) {
        state = newState
    }

    /// - Returns: whether a key frame is needed to begin with.
    func setRouting(sends: Bool, plays: Bool) -> Bool {
        let begins = sends && !self.sends
        if begins { awaitsKeyFrame = true }
        if plays && !self.plays, let videoLine { connection?.requestKeyFrame(line: videoLine) }
        self.sends = sends
        self.plays = plays
        if !plays { stopPlaying() }
        return begins
    }

    func setMuted(video: Bool) {
        isVideoMuted = video
        videoSource?.setMuted(video)
    }

    /// What the ladder judges; also notes when packets came.
    func observation(at now: MonotonicTime) -> ConnectionLadder.Observation {
        var observation = ConnectionLadder.Observation()
        observation.isConnected = state == .connected
        observation.isOver = isOver
        guard let progress = connection?.progress else { return observation }
        if progress.heard > heardPackets {
            heardPackets = progress.heard
            heardTime = now
        }
        observation.heard = progress.heard
        observation.sent = progress.media.sent
        observation.acknowledged = progress.media.acknowledged
        observation.received = progress.media.received
        observation.lost = progress.media.lost
        observation.reportedLoss = progress.media.reportedLoss
        return observation
    }

    func sendAudio(
        _ payload: UnsafeRawBufferPointer, timestamp: RTPTimestamp, marker: Bool, level: UInt8, hasVoice: Bool,
        at now: MonotonicTime
    ) {
        guard takesMedia else { return }
        connection?.sendAudio(
            payload, timestamp: timestamp, marker: marker, audioLevelDBov: level, voiceActivity: hasVoice, at: now)
    }

    func sendVideo(
        _ frame: UnsafeRawBufferPointer, timestamp: RTPTimestamp, isKeyFrame: Bool, at now: MonotonicTime
    ) {
        guard takesMedia else {
            awaitsKeyFrame = true
            return
        }
        guard isKeyFrame || !awaitsKeyFrame else { return }
        awaitsKeyFrame = false
        connection?.sendVideo(frame, timestamp: timestamp, isKeyFrame: isKeyFrame, at: now)
    }

    func received(audio packet: ReceivedAudioPacket, line: Int) {
        guard plays, let playback = engine.playback else { return }
        if audioSource == nil {
            do throws(CodecError) {
                let source = try AudioSource()
                guard playback.add(source) else { return }
                audioSource = source
            } catch {
                guard !hasReportedNoDecoder else { return }
                hasReportedNoDecoder = true
                Log.error("play", "no decoder for \(id): \(error)")
                return
            }
        }
        audioSource?.receive(packet)
    }

    func received(video frame: ReceivedVideoFrame, line: Int) {
        videoLine = line
        guard plays, let screen = engine.screen else { return }
        if videoSource == nil {
            let source = VideoSource(name: id, frameSignal: screen.frameSignal, pictureSignal: screen.pictureSignal)
            source.setMuted(isVideoMuted)
            screen.add(source)
            videoSource = source
        }
        videoSource?.receive(frame)
    }

    /// Passes on what the decoder asked for meanwhile.
    func askForKeyFrameIfNeeded() {
        guard let videoLine, let videoSource, videoSource.takeKeyFrameRequest() else { return }
        connection?.requestKeyFrame(line: videoLine)
    }

    var status: ConnectionStatus {
        ConnectionStatus(
            id: id, state: state, health: ladder.health, stage: ladder.stage, audio: audioSource?.statistics,
            video: videoSource?.statistics, connection: connection?.statistics)
    }
}
