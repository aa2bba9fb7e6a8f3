import Calls
import LobbyProtocol
import MediaTypes
import Realtime
import Telemetry
import WebSockets

/// What comes from the lobby, on `cb-signal`.
extension LobbyRoomService {
    func opened(_ connection: Int) {
        let (client, text) = state.withLock { state -> (WebSocketClient?, String?) in
            guard state.connection == connection else { return (nil, nil) }
            defer { state.joinText = nil }
            return (state.client, state.joinText)
        }
        if let text { client?.send(text) }
    }

    func received(_ event: LobbyEvent, on connection: Int) {
        let (pending, news) = state.withLock { state -> (Pending?, [RoomEvent]) in
            guard state.connection == connection, state.client != nil else { return (nil, []) }
            let pending = event.inReplyTo.flatMap { state.pending.removeValue(forKey: $0) }
            return (pending, LobbyRoomService.news(of: event.body, in: &state))
        }
        for event in news { tell(event) }
        guard let pending else { return }
        if case .error(let code, let text) = event.body {
            pending.continuation.resume(returning: .failure(RoomError(code, text: text)))
            // The lobby lets a refused client try again on the same connection; this endpoint makes a new one.
            switch code {
            case .refusedToken, .roomFull, .lobbyFull, .participantPresent: giveUpJoin(connection)
            default: break
            }
        } else {
            pending.continuation.resume(returning: .success(event.body))
        }
    }

    /// Something came that is no message of the protocol.
    func receivedMalformed(_ connection: Int) {
        malformedEvents.increment()
        let isTooMuch = state.withLock { state in
            guard state.connection == connection else { return false }
            state.malformedCount += 1
            return state.malformedCount == LobbyRoomService.mostMalformedEvents
        }
        if isTooMuch { ended(connection, .protocolViolation("the server does not speak the lobby's protocol")) }
    }

    /// The connection failed or was closed.
    func ended(_ connection: Int, _ error: RoomError) {
        let (client, kickText) = state.withLock { state in
            (state.connection == connection ? state.client : nil, state.kickText)
        }
        guard let client else { return }
        let phase = fail(client: client, error)
        if phase == .joined {
            switch error {
            case .kicked(let text): tell(.kickedOut(RoomReason(.kicked, kickText ?? text)))
            case .joinedElsewhere: tell(.kickedOut(error.reason))
            default: tell(.disconnected(error))
            }
        }
        // A failed join waits for the thread itself.
        if phase == .joined || phase == .leaving { Task { await client.stop() } }
    }

    func expireRequests(of connection: Int, at now: MonotonicTime) {
        let expired = state.withLock { state -> [Pending] in
            guard state.connection == connection else { return [] }
            let due = state.pending.filter { $0.value.deadline <= now }
            for number in due.keys { state.pending[number] = nil }
            return Array(due.values)
        }
        for pending in expired {
            pending.continuation.resume(returning: .failure(.timedOut("the lobby does not answer \(pending.name)")))
            if "\(pending.name)" == "join" { giveUpJoin(connection) }
        }
    }

    private func giveUpJoin(_ connection: Int) {
        let client = state.withLock { state in
            state.connection == connection && state.phase == .joining ? state.client : nil
        }
        if let client { fail(client: client, .cancelled) }
    }

    private func tell(_ event: RoomEvent) {
        guard case .dropped = yieldEvent.yield(event) else { return }
        Log.error("room", "the endpoint does not keep up with the lobby: an event is lost")
    }

    /// Changes what is known of the room, and says what is new to the endpoint.
    private static func news(of body: LobbyEvent.Body, in state: inout State) -> [RoomEvent] {
        switch body {
        case .joined(let joined):
            guard state.phase == .joining else { return [] }
            state.phase = .joined
            state.own = joined.participant
            return joined.participants.flatMap { other -> [RoomEvent] in
                state.participants[other.id] = other
                return [.participantJoined(Participant(other))]
                    + meeting(nil, (joined.participant, other), startsOffer: true)
            }
        case .participantJoined(let other):
            guard let own = state.own else { return [] }
            state.participants[other.id] = other
            return [.participantJoined(Participant(other))] + meeting(nil, (own, other), startsOffer: false)
        case .participantChanged(let participant):
            return change(to: participant, in: &state)
        case .participantLeft(let id, let session, let reason):
            guard state.participants[id]?.session == session else { return [] }
            state.participants[id] = nil
            let reason = ParticipantLeaveReason(reason)
            return (reason.isLost ? [] : [.connectionClosed(id)]) + [.participantLeft(id, reason: reason)]
        case .streamAdded(let stream): return [.streamAdded(RemoteStream(stream))]
        case .streamRemoved(let id, _): return [.streamRemoved(id)]
        case .streamChanged(let stream): return [.streamChanged(RemoteStream(stream))]
        case .signal(let from, let session, let signal):
            // A signal of a participant's former connection says nothing about its present one.
            guard state.participants[from]?.session == session else { return [] }
            return [.signal(from, signal.connectionSignal)]
        case .message(let from, let body): return [.messageReceived(from: from, body)]
        case .kicked(let reason, let by, let text):
            if reason == .kicked {
                state.kickText = "removed by \(by ?? "the lobby")" + (text.map { ": \($0)" } ?? "")
            }
            return []
        case .left, .done, .error, .pong, .unknown: return []
        }
    }

    /// Somebody's role is another: connections that it allows are wanted now, others closed.
    private static func change(to participant: LobbyParticipant, in state: inout State) -> [RoomEvent] {
        guard let own = state.own else { return [] }
        if participant.id == own.id {
            guard participant.session == own.session else { return [] }
            state.own = participant
            return state.participants.values.sorted { $0.id < $1.id }.flatMap { other in
                meeting((own, other), (participant, other), startsOffer: true)
            }
        }
        guard let former = state.participants[participant.id], former.session == participant.session else { return [] }
        state.participants[participant.id] = participant
        return [.participantChanged(Participant(participant))]
            + meeting((own, former), (own, participant), startsOffer: false)
    }

    /// What a change of one of two participants means for the connection of the first, this endpoint, with the second.
    private static func meeting(
        _ before: (own: LobbyParticipant, other: LobbyParticipant)?,
        _ now: (own: LobbyParticipant, other: LobbyParticipant), startsOffer: Bool
    ) -> [RoomEvent] {
        let metBefore = before.map { $0.own.mayMeet($0.other) } ?? false
        switch (metBefore, now.own.mayMeet(now.other)) {
        case (false, true):
            return [
                .connectionWanted(now.other.id, isPolite: now.own.id < now.other.id, startsOffer: startsOffer)
            ]
        case (true, false): return [.connectionClosed(now.other.id)]
        case (true, true), (false, false): return []
        }
    }
}
