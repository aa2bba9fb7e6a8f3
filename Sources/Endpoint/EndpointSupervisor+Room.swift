import Calls
import MediaTypes
import Realtime
import Rooms
import Telemetry

/// The supervisor's dealings with the room service.
extension EndpointSupervisor {
    func handle(_ event: RoomEvent, at now: MonotonicTime) {
        let router = self.router
        switch event {
        case .participantJoined(let participant):
            Log.notice("room", "participantJoined \(participant.id)")
            core.participantJoined(participant, at: now)
        case .participantChanged(let participant):
            Log.notice("room", "participantChanged \(participant.id): \(participant.role.rawValue)")
            core.participantChanged(participant)
        case .participantLeft(let id, let reason):
            Log.notice("room", "participantLeft \(id) (\(reason.rawValue))")
            streams = streams.filter { $0.value.participant != id }
            // Its media may outlive its connection to the room.
            if reason.isLost { loop.post { router.participantLost(id) } }
            core.participantLeft(id, isLost: reason.isLost, at: now)
        case .streamAdded(let stream):
            Log.notice("room", "streamAdded \(stream.id) of \(stream.participant)")
            note(stream, at: now)
        case .streamRemoved(let id):
            streams[id] = nil
            shownStreams[id] = nil
            core.streamRemoved(id)
            Log.notice("room", "streamRemoved \(id)")
        case .streamChanged(let stream):
            Log.notice("room", "streamChanged \(stream.id): \(stream.stateText)")
            note(stream, at: now)
        case .messageReceived(let sender, let body):
            guard let message = RoomMessage(json: body, from: sender) else {
                unknownMessages.increment()
                Log.info("room", "messageReceived from \(sender): of a kind that this endpoint does not know")
                return
            }
            core.receive(message, from: sender, at: now)
        case .kickedOut(let reason):
            lose(reason, at: now)
        case .connectionWanted(let id, let isPolite, let startsOffer):
            loop.post { router.open(id, isPolite: isPolite, startsOffer: startsOffer) }
        case .signal(let id, let signal):
            loop.post { router.receive(signal, on: id) }
        case .connectionClosed(let id):
            // Gone for good, or only plays now like this endpoint; the media of who is lost lives on.
            loop.post { router.participantGone(id) }
        case .disconnected(let error):
            lose(error.reason, at: now)
        }
    }

    /// The room is gone. Its media connections are kept: they may well live.
    private func lose(_ reason: RoomReason, at now: MonotonicTime) {
        forgetRoom()
        core.disconnected(reason, at: now)
    }

    /// Nothing more is told to this room, and no more is known of it.
    func forgetRoom() {
        ownRole = nil
        roomNumber += 1
        streams = [:]
        let router = self.router
        loop.post { router.roomLost() }
    }

    private func note(_ stream: RemoteStream, at now: MonotonicTime) {
        streams[stream.id] = stream
        shownStreams[stream.id] = stream
        core.streamAdded(stream.id, of: stream.participant, at: now)
        let router = self.router
        loop.post {
            router.setStreamMuted(stream.participant, audio: stream.isAudioMuted, video: stream.isVideoMuted)
        }
    }

    func startJoin(_ attempt: Int) {
        let service = self.service
        let continuation = post
        let request = JoinRequest(
            room: settings.room,
            participant: Participant(
                id: settings.participant.id, name: settings.participant.name, role: core.plan.role),
            mayReplace: core.room.mayReplace, token: settings.token)
        let before = lettingGo
        joining = Task {
            await before?.value
            do throws(RoomError) {
                let joined = try await service.join(request)
                continuation.yield(.joinFinished(attempt: attempt, .joined(joined)))
            } catch {
                continuation.yield(.joinFinished(attempt: attempt, .failed(error.reason)))
            }
        }
    }

    /// Leaves the room service's room, whatever became of a join; the next join waits for that.
    func letGo(joining: Task<Void, Never>?) {
        let service = self.service
        let before = lettingGo
        lettingGo = Task {
            await before?.value
            await service.leave()
            await joining?.value
        }
    }

    func finishJoin(_ attempt: Int, _ result: EndpointEvent.JoinResult, at now: MonotonicTime) {
        guard attempt == core.room.attempt else { return }
        joining = nil
        switch result {
        case .joined(let room):
            ownRole = room.participant.role
            roomNumber += 1
            let router = self.router
            loop.post { router.roomJoined() }
            core.joined(attempt: attempt, present: room.participants, at: now)
            if firstJoinTime == nil { firstJoinTime = now }
            joinCount += 1
        case .failed(let reason):
            core.joinFailed(attempt: attempt, reason, at: now)
        }
    }

    func startLeave() {
        let service = self.service
        let router = self.router
        let continuation = post
        loop.post { router.closeAll() }
        let before = telling
        Task {
            // A hang-up is still said.
            await before?.value
            await service.leave()
            continuation.yield(.leaveFinished)
        }
    }

    /// Does something with the room service after everything that it was told before.
    func tell(_ act: @escaping (EndpointSupervisor) async -> Void) {
        let before = telling
        let number = roomNumber
        telling = Task {
            await before?.value
            guard number == roomNumber else { return }
            await act(self)
        }
    }

    /// Publishes the own stream, as a host: whoever only plays cannot publish.
    func publish(request: Int) {
        tell { supervisor in
            var refusal: RoomReason?
            do throws(RoomError) {
                try await supervisor.changeRole(.host)
                try await supervisor.announceStream()
            } catch {
                refusal = error.reason
            }
            supervisor.post.yield(.published(request: request, refusal))
        }
    }

    func unpublish() {
        tell { supervisor in
            do throws(RoomError) {
                try await supervisor.service.unpublish(supervisor.settings.streamID)
                try await supervisor.changeRole(await supervisor.core.plan.role)
            } catch {
                Log.info("publish", "taking the stream back: \(error.reason.text)")
            }
        }
    }

    private func changeRole(_ role: Participant.Role) async throws(RoomError) {
        guard let ownRole, ownRole != role else { return }
        try await service.change(role: role)
        if self.ownRole != nil { self.ownRole = role }
    }

    /// Tells the others what is muted.
    func tellSwitches() {
        tell { supervisor in await supervisor.announceSwitches() }
    }

    private func announceStream() async throws(RoomError) {
        try await service.publish(ownStream)
    }

    private func announceSwitches() {
        service.change(ownStream)
    }

    private var ownStream: LocalStream {
        LocalStream(
            id: settings.streamID, hasAudio: engine.capture != nil, hasVideo: engine.encoding != nil,
            isAudioMuted: core.plan.isMuted, isVideoMuted: core.plan.isCameraOff)
    }

    /// What waits tries at once; what lives looks for a new path.
    func handle(_ changes: [NetworkChange], at now: MonotonicTime) {
        Log.info("network", changes.map { "\($0)" }.joined(separator: ", "))
        let router = self.router
        loop.post { router.networkChanged() }
        readAddresses()
        // Without any network there is nothing to try; and the cable may be back before the room notices.
        if !changes.contains(.offline) { core.networkChanged(at: now) }
    }
}
