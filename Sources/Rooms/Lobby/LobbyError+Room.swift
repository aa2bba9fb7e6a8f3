import Calls
import LobbyProtocol
import Realtime
import WebSockets

extension RoomError {
    static let elsewhereText = "another device joined with this participant's id"

    /// What the lobby's answer means.
    init(_ code: LobbyErrorCode, text: String) {
        switch code {
        case .refusedToken: self = .refusedToken(text)
        case .roomFull, .lobbyFull: self = .roomFull(text)
        case .streamIDTaken: self = .streamIDTaken(text)
        case .notPermitted, .tooManyStreams: self = .notPermitted(text)
        case .notJoined: self = .notJoined
        case .alreadyJoined: self = .alreadyInRequestedState
        case .participantPresent: self = .joinedElsewhere(RoomError.elsewhereText)
        case .badMessage, .unknownType, .unknownStream, .unknownParticipant: self = .protocolViolation(text)
        }
    }

    /// For whoever stands before a board whose clock makes good certificates look bad.
    static func clockText(isSet: Bool, date: String) -> String {
        isSet
            ? "the server's certificate is not valid yet: is this board's clock (\(date)) right?"
            : "this board's clock is not set (it shows \(date)), so the server's certificate seems not valid yet"
    }

    /// Why there is no connection to the lobby.
    init(_ error: WebSocketError) {
        switch error {
        case .certificateNotYetValid:
            self = .clockNotSet(RoomError.clockText(isSet: WallClock.isSet, date: WallClock.dateText))
        case .timedOut: self = .timedOut(error.description)
        default: self = .unreachable(error.description)
        }
    }

    /// What the end of the connection means.
    init(_ closure: WebSocketClosure) {
        switch closure {
        case .byPeer(let code, let reason):
            switch LobbyCloseCode(rawValue: code) {
            case .refusedToken: self = .refusedToken(reason.isEmpty ? "token refused" : reason)
            case .kicked: self = .kicked(reason.isEmpty ? "removed from the room" : reason)
            case .joinedElsewhere: self = .joinedElsewhere(RoomError.elsewhereText)
            case .protocolViolation: self = .protocolViolation(reason)
            case .lobbyStops: self = .connectionLost("the lobby stops")
            default: self = .connectionLost("the lobby closed the connection (\(code))")
            }
        case .byUs: self = .connectionLost("closed by this endpoint")
        case .lost: self = .connectionLost("the connection to the lobby broke")
        case .silent: self = .connectionLost("the lobby does not answer any more")
        }
    }
}

extension LobbySignal {
    /// Nil for a description that is none of the protocol's.
    init?(_ signal: ConnectionSignal) {
        switch signal {
        case .description(let type, let sdp):
            guard let type = DescriptionType(rawValue: type) else { return nil }
            self = .description(type: type, sdp: sdp)
        case .candidate(let candidate, let mid, let lineIndex):
            self = .candidate(candidate: candidate, mid: mid, lineIndex: lineIndex)
        case .endOfCandidates:
            self = .endOfCandidates
        }
    }

    var connectionSignal: ConnectionSignal {
        switch self {
        case .description(let type, let sdp): .description(type: type.rawValue, sdp: sdp)
        case .candidate(let candidate, let mid, let lineIndex):
            .candidate(candidate: candidate, mid: mid, lineIndex: lineIndex)
        case .endOfCandidates: .endOfCandidates
        }
    }
}

extension Participant {
    init(_ participant: LobbyParticipant) {
        self.init(
            id: participant.id, name: participant.name, role: Role(rawValue: participant.role.rawValue) ?? .host)
    }
}

extension RoomICEServer {
    init(_ server: LobbyICEServer) {
        self.init(urls: server.urls, username: server.username, credential: server.credential)
    }
}

extension ParticipantLeaveReason {
    init(_ reason: LobbyLeaveReason) {
        switch reason {
        case .left: self = .left
        case .kicked: self = .kicked
        case .joinedElsewhere: self = .joinedElsewhere
        case .connectionLost: self = .connectionLost
        case .timedOut: self = .timedOut
        case .protocolViolation: self = .protocolViolation
        }
    }
}

extension LobbyRole {
    init(_ role: Participant.Role) {
        switch role {
        case .host: self = .host
        case .audience: self = .audience
        }
    }
}

extension LobbyParticipant {
    /// Whether media may flow between the two in either direction (PROTOCOL.md, "Media, and who starts").
    func mayMeet(_ other: LobbyParticipant) -> Bool {
        canPublish && other.canSubscribe || other.canPublish && canSubscribe
    }
}

extension RemoteStream {
    init(_ stream: LobbyStream) {
        self.init(
            id: stream.id, participant: stream.participant, hasAudio: stream.hasAudio, hasVideo: stream.hasVideo,
            isAudioMuted: stream.audioMuted, isVideoMuted: stream.videoMuted)
    }
}
