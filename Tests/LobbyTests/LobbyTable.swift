import LobbyProtocol
import MediaTypes
import WebSockets

@testable import Lobby

/// A lobby core with named connections: says what a client says, and tells what each is sent.
struct LobbyTable {
    var core: LobbyCore
    var now = MonotonicTime.zero
    var unixTime: Int64 = 1_800_000_000
    private var ids: [String: WebSocketID] = [:]
    private var lastID: UInt64 = 0

    init(_ change: (inout LobbyConfiguration) -> Void = { _ in }) {
        var configuration = LobbyConfiguration(port: 0)
        change(&configuration)
        core = LobbyCore(configuration, seed: 7)
    }

    /// What happened, in order: "a: done", "a closed 4400".
    mutating func outputs() -> [String] {
        let names = Dictionary(ids.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var lines: [String] = []
        while let output = core.pollOutput() {
            switch output {
            case .send(let id, let text): lines.append("\(names[id] ?? "?"): \(Self.summary(text))")
            case .close(let id, let code, _): lines.append("\(names[id] ?? "?") closed \(code.rawValue)")
            case .log: break
            }
        }
        return lines
    }

    mutating func connect(_ name: String) {
        lastID += 1
        ids[name] = WebSocketID(lastID)
        core.connected(WebSocketID(lastID), at: now)
    }

    mutating func say(_ name: String, _ text: String) -> [String] {
        var text = text
        let id = ids[name] ?? WebSocketID(0)
        text.withUTF8 { core.receive(UnsafeRawBufferPointer($0), from: id, at: now, unixTime: unixTime) }
        return outputs()
    }

    mutating func say(_ name: String, _ body: LobbyRequest.Body, request: Int64? = 1) -> [String] {
        say(name, LobbyRequest(request: request, body).text)
    }

    /// Connects and joins under the connection's own name.
    @discardableResult mutating func join(_ name: String, room: String = "r", as id: String? = nil) -> [String] {
        connect(name)
        return say(name, .join(LobbyJoin(room: room, participantID: id ?? name)))
    }

    mutating func hangUp(_ name: String, _ reason: LobbyLeaveReason = .connectionLost) -> [String] {
        if let id = ids[name] { core.closed(id, reason: reason, at: now) }
        return outputs()
    }

    mutating func wait(seconds: Int64) -> [String] {
        now = now + .seconds(seconds)
        core.advance(to: now)
        return outputs()
    }

    static func summary(_ text: String) -> String {
        var text = text
        guard let event = text.withUTF8({ try? LobbyEvent(parsing: UnsafeRawBufferPointer($0)) }) else { return "?" }
        switch event.body {
        case .joined(let joined):
            return "joined \(joined.participant.id) beside [\(joined.participants.map(\.id).joined(separator: ","))]"
        case .participantJoined(let participant): return "+\(participant.id)"
        case .participantChanged(let participant):
            return "\(participant.id) is \(participant.role.rawValue), publishes \(participant.canPublish)"
        case .participantLeft(let id, _, let reason): return "-\(id) \(reason.rawValue)"
        case .streamAdded(let stream): return "+stream \(stream.id) of \(stream.participant)"
        case .streamRemoved(let id, let participant): return "-stream \(id) of \(participant)"
        case .streamChanged(let stream):
            return "stream \(stream.id) audio \(!stream.audioMuted) video \(!stream.videoMuted)"
        case .signal(let from, _, let signal): return "signal of \(from) \(signal.summary)"
        case .message(let from, let body): return "message of \(from) \(body.text())"
        case .kicked(let reason, let by, let text): return "kicked \(reason.rawValue) \(by ?? "-") \(text ?? "-")"
        case .left: return "left"
        case .done: return "done"
        case .error(let code, _): return "error \(code.rawValue)" + (event.inReplyTo == nil ? " unasked" : "")
        case .pong: return "pong"
        case .unknown: return "unknown"
        }
    }
}

extension LobbySignal {
    var summary: String {
        switch self {
        case .description(let type, _): type.rawValue
        case .candidate: "candidate"
        case .endOfCandidates: "end"
        }
    }
}

/// A stream with audio and video.
func stream(_ id: String) -> LobbyStream { LobbyStream(id: id, hasAudio: true, hasVideo: true) }
