import MediaTypes

/// What the room service reports.
extension EndpointCore {
    /// Asks for the room; it stays wanted until `leave(at:)`.
    package mutating func join(at now: MonotonicTime) throws(RoomSessionError) {
        try room.join(at: now)
        settle(at: now)
    }

    /// Hangs up and gives the room up.
    package mutating func leave(at now: MonotonicTime) throws(RoomSessionError) {
        if room.state.isJoined { call.leaveRoom(at: now) }
        settle(at: now)
        try room.leave(at: now)
        settle(at: now)
    }

    /// - Parameter present: everybody else in the room.
    package mutating func joined(attempt: Int, present: [Participant], at now: MonotonicTime) {
        guard attempt == room.attempt else { return }
        room.joined(attempt: attempt, at: now)
        guard room.state.isJoined else { return settle(at: now) }
        let missing = participants.keys.filter { id in !present.contains { $0.id == id } }
        for participant in present {
            participants[participant.id] = participant
            absent[participant.id] = nil
        }
        for id in missing where absent[id] == nil { absent[id] = now + EndpointCore.absenceLimit }
        for stream in players.keys where unconfirmed[stream] == nil {
            unconfirmed[stream] = now + EndpointCore.absenceLimit
        }
        publisher.roomJoined(at: now)
        call.roomJoined(participants: Set(present.map(\.id)), at: now)
        settle(at: now)
    }

    package mutating func joinFailed(attempt: Int, _ reason: RoomReason, at now: MonotonicTime) {
        room.joinFailed(attempt: attempt, reason, at: now)
        settle(at: now)
    }

    /// The room is lost; who was in it may still be connected by media.
    package mutating func disconnected(_ reason: RoomReason, at now: MonotonicTime) {
        guard room.state.isJoined else {
            // Perhaps it was joined and lost before the answer to the join came through.
            room.disconnected(reason, at: now)
            return settle(at: now)
        }
        room.disconnected(reason, at: now)
        publisher.roomLost(reason, at: now)
        call.roomLost(at: now)
        speak.roomLost(at: now)
        desk.roomLost()
        if reason.kind == .kicked || reason.kind == .joinedElsewhere { forgetEverybody(at: now) }
        settle(at: now)
    }

    /// The room is joined, and of no use: because its media does not flow, or because this endpoint was told to go.
    package mutating func abandonRoom(_ reason: RoomReason, at now: MonotonicTime) {
        guard room.state.isJoined else { return }
        outputs.append(.abandonRoom)
        disconnected(reason, at: now)
    }

    package mutating func left(at now: MonotonicTime) {
        room.left(at: now)
        publisher.roomLost(nil, at: now)
        forgetEverybody(at: now)
        settle(at: now)
    }

    /// A link or an address came or went.
    package mutating func networkChanged(at now: MonotonicTime) {
        room.networkChanged(at: now)
        settle(at: now)
    }

    package mutating func published(request: Int, at now: MonotonicTime) {
        publisher.accepted(request: request, at: now)
        settle(at: now)
    }

    package mutating func publishingFailed(request: Int, _ reason: RoomReason, at now: MonotonicTime) {
        publisher.refused(request: request, reason, at: now)
        settle(at: now)
    }

    /// The clock was set, or the configuration changed: what waits need not wait.
    package mutating func retryNow(at now: MonotonicTime) {
        room.retryNow(at: now)
        settle(at: now)
    }

    package mutating func participantJoined(_ participant: Participant, at now: MonotonicTime) {
        participants[participant.id] = participant
        absent[participant.id] = nil
        call.participantJoined(participant.id, at: now)
        settle(at: now)
    }

    package mutating func participantChanged(_ participant: Participant) {
        guard participants[participant.id] != nil else { return }
        participants[participant.id] = participant
    }

    /// - Parameter isLost: its connection broke: it may come back.
    package mutating func participantLeft(_ id: ParticipantID, isLost: Bool, at now: MonotonicTime) {
        call.participantLeft(id, isLost: isLost, at: now)
        desk.participantLeft(id)
        participants[id] = nil
        absent[id] = nil
        if !isLost {
            flowing.remove(id)
            outputs.append(.participantGone(id))
        }
        settle(at: now)
    }

    mutating func note(_ state: RoomState, at now: MonotonicTime) {
        switch state {
        case .loggedIn, .reconnected: wasJoined = true
        case .loggedOut, .logoutFailed, .kickedOut: wasJoined = false
        case .loggingIn, .loginFailed, .reconnecting, .reconnectFailed: break
        }
    }

    mutating func forget(_ id: ParticipantID, at now: MonotonicTime) {
        absent[id] = nil
        participants[id] = nil
        flowing.remove(id)
        for stream in players.filter({ $0.value.participant == id }).keys.sorted() { streamRemoved(stream) }
        call.participantLeft(id, isLost: false, at: now)
        outputs.append(.participantGone(id))
    }

    private mutating func forgetEverybody(at now: MonotonicTime) {
        for id in participants.keys.sorted() { forget(id, at: now) }
    }
}
