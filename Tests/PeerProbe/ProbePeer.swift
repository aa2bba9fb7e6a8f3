import JSONText
import MediaTypes
import PeerConnection
import SDP

/// The connection of the probe and the commands that drive it.
///
/// - Thread: `cb-net`.
// @unchecked: confined to cb-net.
final class ProbePeer: @unchecked Sendable {
    private let loop: NetworkLoop
    private let sink = ProbeSink()
    private var connection: PeerConnection?
    private var source: ProbeSource?
    private var messages: [JSONValue] = []

    init(loop: NetworkLoop) {
        self.loop = loop
    }

    func close() {
        source?.stop()
        source = nil
        connection?.close()
        connection = nil
    }

    func execute(_ command: JSONValue) {
        switch command["do"]?.string {
        case "start": start(command)
        case "offer": connection?.negotiate()
        case "description":
            let type = command["type"]?.string.flatMap { DescriptionType(rawValue: $0) } ?? .offer
            connection?.receive(description: command["sdp"]?.string ?? "", type: type)
        case "candidate":
            connection?.receive(
                candidate: command["candidate"]?.string ?? "", mid: command["mid"]?.string,
                lineIndex: command["index"]?.integer.map { Int($0) })
        case "end": connection?.endOfRemoteCandidates()
        case "add":
            add(command["kind"]?.string == "audio" ? .audio : .video, direction(command), command["stream"]?.string)
            connection?.negotiate()
        case "direction":
            if let line = command["line"]?.integer {
                connection?.setDirection(direction(command), line: Int(line))
                connection?.negotiate()
            }
        case "restart": connection?.restartICE()
        case "keyframe":
            if let line = command["line"]?.integer { connection?.requestKeyFrame(line: Int(line)) }
        case "send":
            let isSent = connection?.send(message: command["text"]?.string ?? "", label: command["label"]?.string)
            ProbeOutput.write(["event": "sent", "ok": .bool(isSent ?? false)])
        case "report": report()
        case "close": close()
        default: ProbeOutput.write(["event": "error", "text": "unknown command"])
        }
    }

    private func start(_ command: JSONValue) {
        do {
            var configuration = PeerConnectionConfiguration(
                certificate: try DTLSCertificate(), isPolite: command["polite"]?.bool ?? true, cname: "probe")
            if command["profile"]?.string == "sha1" { configuration.srtpProfiles = [.aes128CMSHA1] }
            if command["profile"]?.string == "gcm" { configuration.srtpProfiles = [.aeadAES128GCM] }
            configuration.ice.usesRelayOnly = command["relay_only"]?.bool ?? false
            configuration.ice.usesUDP = command["udp"]?.bool ?? true
            configuration.ice.servers = (command["servers"]?.array ?? []).compactMap {
                ICEServer(url: $0.string ?? "", user: "alice", password: "secret")
            }
            let connection = try PeerConnection(loop: loop, configuration: configuration, mediaSink: sink) {
                [unowned self] in self.handle($0)
            }
            self.connection = connection
            if command["audio"]?.bool ?? true { add(.audio, .sendReceive, "probe") }
            if command["video"]?.bool ?? true { add(.video, .sendReceive, "probe") }
            if let label = command["data"]?.string { connection.addDataChannel(label) }
            source = try ProbeSource(
                loop: loop, connection: connection, frequency: command["tone"]?.number ?? 440)
            ProbeOutput.write([
                "event": "started", "fingerprint": .string(configuration.certificate.fingerprint.value),
            ])
        } catch {
            ProbeOutput.write(["event": "error", "text": .string("\(error)")])
        }
    }

    private func add(_ kind: MediaKind, _ direction: MediaDirection, _ stream: String?) {
        guard let connection else { return }
        let line = connection.addTransceiver(
            kind: kind, direction: direction, streamID: stream ?? "probe", trackID: "\(stream ?? "probe")-\(kind)")
        ProbeOutput.write(["event": "line", "line": .integer(Int64(line)), "kind": .string(kind.rawValue)])
    }

    private func direction(_ command: JSONValue) -> MediaDirection {
        command["direction"]?.string.flatMap { MediaDirection(rawValue: $0) } ?? .sendReceive
    }

    private func handle(_ event: PeerConnectionEvent) {
        switch event {
        case .localDescription(let type, let sdp):
            ProbeOutput.write(["event": "description", "type": .string(type.rawValue), "sdp": .string(sdp)])
        case .localCandidate(let candidate, let mid, let index):
            ProbeOutput.write([
                "event": "candidate", "candidate": .string(candidate), "mid": .string(mid),
                "index": .integer(Int64(index)),
            ])
        case .endOfCandidates: ProbeOutput.write(["event": "end"])
        case .stateChanged(let state): ProbeOutput.write(["event": "state", "state": .string(state.rawValue)])
        case .remoteTrack(let line, let kind, let stream, let track):
            ProbeOutput.write([
                "event": "track", "line": .integer(Int64(line)), "kind": .string(kind.rawValue),
                "stream": .string(stream), "track": .string(track),
            ])
        case .trackRemoved(let line):
            ProbeOutput.write(["event": "track_removed", "line": .integer(Int64(line))])
        case .keyFrameRequested: source?.wantKeyFrame()
        case .bitrateAllowed(let rate): source?.allow(rate)
        case .dataChannelOpened(let label): ProbeOutput.write(["event": "opened", "label": .string(label)])
        case .dataChannelClosed(let label): ProbeOutput.write(["event": "channel_closed", "label": .string(label)])
        case .messageReceived(let label, let text):
            ProbeOutput.write(["event": "message", "label": .string(label), "text": .string(text)])
        case .failed(let reason): ProbeOutput.write(["event": "failed", "reason": .string(reason)])
        }
    }

    private func report() {
        guard let connection else {
            ProbeOutput.write(["event": "report", "lines": sink.report, "state": "closed"])
            return
        }
        let statistics = connection.statistics
        let media = statistics.media
        ProbeOutput.write([
            "event": "report", "lines": sink.report, "state": .string(statistics.state.rawValue),
            "path": .string(statistics.path), "role": .string(connection.dtlsRole?.rawValue ?? ""),
            "profile": .string(statistics.profile.map { "\($0)" } ?? ""),
            "auth_failures": .integer(Int64(statistics.authenticationFailures)),
            "replays": .integer(Int64(statistics.replays)), "unsent": .integer(statistics.unsentPackets),
            "rtt_ms": media.roundTripTime.map { .number($0.seconds * 1_000) } ?? .null,
            "allowed_kbps": .integer(Int64(media.bitrateAllowed.kilobitsPerSecond)),
            "sent_packets": .integer(media.lines.reduce(0) { $0 + $1.sent.packets }),
            "drops": .array(media.drops.map { .integer($0) }),
        ])
    }
}
