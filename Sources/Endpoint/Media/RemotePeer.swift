import Calls
import Codecs
import MediaEngine
import MediaTransport
import MediaTypes
import PeerConnection
import Rooms
import SDP
import Telemetry

/// One other participant's peer connection and what plays its stream.
///
/// - Thread: `cb-net` only.
final class RemotePeer: PeerConnectionMediaSink {
    let id: ConnectionID
    private(set) var state = PeerConnectionState.new
    /// What the path to this participant carries, as its feedback tells; nil before the first.
    var allowedBitrate: Bitrate?
    private let engine: MediaEngine
    private var audioSource: AudioSource?
    private var videoSource: VideoSource?
    private var videoLine: Int?
    private var hasReportedNoDecoder = false
    /// Made after the sink that it holds weakly; there from `open` to `close`.
    private(set) var connection: PeerConnection?

    /// How the connection was asked for, to be made anew after a failure.
    let isPolite: Bool
    let startsOffer: Bool

    init(id: ConnectionID, engine: MediaEngine, isPolite: Bool, startsOffer: Bool) {
        self.id = id
        self.engine = engine
        self.isPolite = isPolite
        self.startsOffer = startsOffer
    }

    /// Makes the connection with a line per kind of track: what this endpoint has is sent, everything is received.
    func open(
        loop: NetworkLoop, configuration: PeerConnectionConfiguration, streamID: String,
        events: @escaping (PeerConnectionEvent) -> Void
    ) throws(PeerConnectionError) {
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
        if let audioSource { engine.playback?.remove(audioSource) }
        if let videoSource { engine.screen?.remove(videoSource) }
        audioSource = nil
        videoSource = nil
        connection?.close()
        connection = nil
    }

    var isConnected: Bool { state == .connected }

    func change(to newState: PeerConnectionState) {
        state = newState
    }

    func received(audio packet: ReceivedAudioPacket, line: Int) {
        guard let playback = engine.playback else { return }
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
        guard let screen = engine.screen else { return }
        videoLine = line
        if videoSource == nil {
            let source = VideoSource(name: id, frameSignal: screen.frameSignal, pictureSignal: screen.pictureSignal)
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
            id: id, state: state, audio: audioSource?.statistics, video: videoSource?.statistics,
            connection: connection?.statistics)
    }
}
