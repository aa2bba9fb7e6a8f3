import Calls
import JSONText
import LobbyProtocol
import MediaTypes
import Realtime
import Synchronization
import Telemetry
import WebSockets

/// The room service of the embedded lobby: one WebSocket per join, a mesh of media connections.
///
/// ```
/// idle ──join──▶ joining ──joined──▶ joined ──leave──▶ leaving ──▶ idle
///   ▲               │ failed, cancelled   │ lost, kicked              │
///   └───────────────┴─────────────────────┴───────────────────────────┘
/// ```
/// Each connection has a number; what an earlier one still says is dropped.
package final class LobbyRoomService: RoomService {
    static let requestTimeout = Interval.seconds(5)
    static let joinTimeout = Interval.seconds(10)
    /// A lobby that does not confirm is left without confirmation.
    static let leaveTimeout = Interval.milliseconds(400)
    /// The sign of life that `checkConnection()` wants.
    static let checkTimeout = Interval.seconds(1)
    /// Ends a connection that is given up: for the lobby, it was lost.
    static let abandonedCode: UInt16 = 4000
    /// A server that sends more than this of nonsense is no lobby.
    static let mostMalformedEvents = 20

    typealias Answer = Result<LobbyEvent.Body, RoomError>

    struct Pending {
        var continuation: CheckedContinuation<Answer, Never>
        var deadline: MonotonicTime
        var name: StaticString
    }

    struct State {
        enum Phase {
            case idle
            case joining
            case joined
            case leaving
        }

        var phase = Phase.idle
        var connection = 0
        var client: WebSocketClient?
        /// The join waits for the connection to open.
        var joinText: String?
        var pending: [Int64: Pending] = [:]
        var lastRequest: Int64 = 0
        var own: LobbyParticipant?
        var participants: [ParticipantID: LobbyParticipant] = [:]
        /// What the lobby said of removing this participant, just before it closed the connection.
        var kickText: String?
        var malformedCount = 0
        var isClosed = false
    }

    package let events: AsyncStream<RoomEvent>
    let yieldEvent: AsyncStream<RoomEvent>.Continuation
    let state = Mutex(State())
    private let url: WebSocketURL
    private let trust: ServerTrust
    private let names = NameMemory()
    let malformedEvents = Counter("lobby.malformed-events")

    package init(url: WebSocketURL, trust: ServerTrust) {
        self.url = url
        self.trust = trust
        (events, yieldEvent) = AsyncStream<RoomEvent>.makeStream(bufferingPolicy: .bufferingOldest(4_096))
    }

    package func join(_ request: JoinRequest) async throws(RoomError) -> JoinedRoom {
        let join = LobbyJoin(
            room: request.room, participantID: request.participant.id, name: request.participant.name,
            role: LobbyRole(request.participant.role), mayReplace: request.mayReplace, token: request.token)
        let client = WebSocketClient(
            WebSocketClientConfiguration(url: url, subprotocol: LobbyLimits.subprotocol, trust: trust, names: names))
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(join, client: client, continuation)
                // A cancellation from before the start found nothing to cancel.
                if Task.isCancelled { fail(client: client, .cancelled) }
            }
        } onCancel: {
            fail(client: client, .cancelled)
        }
        switch answer {
        case .success(.joined(let joined)):
            // Cancelled when it had just succeeded: nobody waits for this room any more.
            if Task.isCancelled {
                await leave()
                throw .cancelled
            }
            return JoinedRoom(
                room: joined.room, participant: Participant(joined.participant),
                participants: joined.participants.map(Participant.init),
                iceServers: joined.iceServers.map(RoomICEServer.init))
        case .success:
            end(client: client)
            throw .protocolViolation("the lobby's answer to join is no joined")
        case .failure(let error):
            await client.stop()
            throw error
        }
    }

    private func begin(
        _ join: LobbyJoin, client: WebSocketClient, _ continuation: CheckedContinuation<Answer, Never>
    ) {
        let started: Result<Int, RoomError> = state.withLock { state in
            guard !state.isClosed else { return .failure(.notJoined) }
            switch state.phase {
            case .idle: break
            case .joined: return .failure(.alreadyInRequestedState)
            case .joining, .leaving: return .failure(.operationInProgress)
            }
            state.phase = .joining
            state.connection += 1
            state.client = client
            state.participants = [:]
            state.own = nil
            state.kickText = nil
            state.malformedCount = 0
            state.lastRequest += 1
            state.joinText = LobbyRequest(request: state.lastRequest, .join(join)).text
            state.pending[state.lastRequest] = Pending(
                continuation: continuation, deadline: MonotonicClock.now() + LobbyRoomService.joinTimeout, name: "join")
            return .success(state.connection)
        }
        switch started {
        case .failure(let error):
            continuation.resume(returning: .failure(error))
        case .success(let connection):
            do throws(WebSocketError) {
                try client.start(handler: LobbyClientHandler(service: self, connection: connection))
            } catch {
                fail(client: client, RoomError(error))
            }
        }
    }

    package func leave() async {
        let (client, wasJoined) = state.withLock { state -> (WebSocketClient?, Bool) in
            let wasJoined = state.phase == .joined
            if wasJoined { state.phase = .leaving }
            return (state.client, wasJoined)
        }
        guard let client else { return }
        if wasJoined {
            _ = await ask(.leave, name: "leave", timeout: LobbyRoomService.leaveTimeout, in: .leaving)
        }
        fail(client: client, .cancelled)
        await client.stop()
    }

    package func publish(_ stream: LocalStream) async throws(RoomError) {
        let answer = await ask(
            .publish(
                LobbyStream(
                    id: stream.id, hasAudio: stream.hasAudio, hasVideo: stream.hasVideo,
                    audioMuted: stream.isAudioMuted, videoMuted: stream.isVideoMuted)), name: "publish")
        _ = try answer.get()
    }

    package func unpublish(_ stream: StreamID) async throws(RoomError) {
        _ = try await ask(.unpublish(stream: stream), name: "unpublish").get()
    }

    package func change(role: Participant.Role) async throws(RoomError) {
        _ = try await ask(.role(LobbyRole(role)), name: "role").get()
    }

    package func checkConnection() {
        let connection = state.withLock { $0.phase == .joined ? $0.connection : nil }
        guard let connection else { return }
        Task {
            guard case .failure(.timedOut) = await ask(.ping, name: "ping", timeout: LobbyRoomService.checkTimeout)
            else { return }
            ended(connection, .connectionLost("the lobby does not answer since the network changed"))
        }
    }

    package func change(_ stream: LocalStream) {
        tell(.change(stream: stream.id, audioMuted: stream.isAudioMuted, videoMuted: stream.isVideoMuted))
    }

    package func send(_ signal: ConnectionSignal, on connection: ConnectionID) {
        guard let signal = LobbySignal(signal) else { return }
        let session = state.withLock { $0.participants[connection]?.session }
        guard let session else { return }
        tell(.signal(to: connection, session: session, signal))
    }

    package func send(message: JSONValue, to participant: ParticipantID?) async throws(RoomError) {
        _ = try await ask(.message(to: participant, body: message), name: "message").get()
    }

    package func kick(_ participant: ParticipantID, text: String?) async throws(RoomError) {
        _ = try await ask(.kick(participant: participant, text: text), name: "kick").get()
    }

    package func close() async {
        state.withLock { $0.isClosed = true }
        await leave()
        yieldEvent.finish()
    }

    /// Sends without asking for an answer.
    private func tell(_ body: LobbyRequest.Body) {
        let client = state.withLock { $0.phase == .joined ? $0.client : nil }
        client?.send(LobbyRequest(body).text)
    }

    private func ask(
        _ body: LobbyRequest.Body, name: StaticString, timeout: Interval = LobbyRoomService.requestTimeout,
        in phase: State.Phase = .joined
    ) async -> Answer {
        await withCheckedContinuation { continuation in
            let refusal: RoomError? = state.withLock { state in
                guard state.phase == phase, let client = state.client else { return .notJoined }
                state.lastRequest += 1
                guard client.send(LobbyRequest(request: state.lastRequest, body).text) else {
                    return .connectionLost("the lobby does not read")
                }
                state.pending[state.lastRequest] = Pending(
                    continuation: continuation, deadline: MonotonicClock.now() + timeout, name: name)
                return nil
            }
            if let refusal { continuation.resume(returning: .failure(refusal)) }
        }
    }

    /// Gives a connection up: everything that waits for it fails, and nothing of it is heard any more.
    /// - Returns: the phase that ended; nil when the connection was not the present one.
    @discardableResult
    func fail(client: WebSocketClient, _ error: RoomError) -> State.Phase? {
        let (phase, waiting) = state.withLock { state -> (State.Phase?, [Pending]) in
            guard state.client === client else { return (nil, []) }
            let phase = state.phase
            let waiting = Array(state.pending.values)
            state.pending = [:]
            state.phase = .idle
            state.client = nil
            state.joinText = nil
            state.participants = [:]
            return (phase, waiting)
        }
        for pending in waiting { pending.continuation.resume(returning: .failure(error)) }
        // Should this still arrive from a connection that is given up, it must not say that the participant left.
        if phase != nil { client.close(code: error == .cancelled ? 1000 : LobbyRoomService.abandonedCode) }
        return phase
    }

    /// Lets a connection go whose thread must still be waited for.
    private func end(client: WebSocketClient) {
        fail(client: client, .cancelled)
        Task { await client.stop() }
    }
}
