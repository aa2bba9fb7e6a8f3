import Calls
import MediaEngine
import MediaTypes
import PeerConnection
import Realtime
import Rooms
import Telemetry

/// The appliance: joins the room, keeps it, and tells the network thread whom to connect with.
///
/// Decides only; no media and nothing that blocks runs here. Everything that happens arrives in one queue and is worked
/// off in order, so that a transition is never interleaved with another.
///
/// ```
/// RoomService events ─┐
/// MediaRouter events ─┼─▶ inbox ─▶ RoomSession (pure) ─▶ RoomService / MediaRouter orders
/// timers, commands   ─┘
/// ```
package actor EndpointSupervisor {
    private let settings: EndpointSettings
    private let service: any RoomService
    private let engine: MediaEngine
    private let loop: NetworkLoop
    private let router: MediaRouter
    private var session: RoomSession
    private let inbox: AsyncStream<EndpointEvent>
    private let post: AsyncStream<EndpointEvent>.Continuation
    private var participants: [ParticipantID: Participant] = [:]
    private var streams: [StreamID: RemoteStream] = [:]
    private var timer: Task<Void, Never>?
    private var joining: Task<Void, Never>?
    /// A cancelled join: the room service is free when it has returned.
    private var ending: Task<Void, Never>?
    private var isFinishing = false
    private var reason = RoomReason.requested
    private let startTime: MonotonicTime
    private var firstJoinTime: MonotonicTime?
    private var joinCount = 0

    /// - Parameters:
    ///   - startTime: when the process started, for the times in status.
    ///   - seed: spreads the retries of a fleet.
    package init(
        settings: EndpointSettings, service: any RoomService, engine: MediaEngine, loop: NetworkLoop,
        startTime: MonotonicTime, seed: UInt64
    ) {
        self.settings = settings
        self.service = service
        self.engine = engine
        self.loop = loop
        self.startTime = startTime
        session = RoomSession(seed: seed)
        let (stream, continuation) = AsyncStream<EndpointEvent>.makeStream(bufferingPolicy: .bufferingNewest(4_096))
        inbox = stream
        post = continuation
        router = MediaRouter(
            loop: loop, engine: engine,
            settings: MediaRouter.Settings(
                peer: settings.peer, streamID: settings.streamID, minimumBitrate: settings.minimumBitrate,
                maximumBitrate: settings.maximumBitrate)
        ) { event in
            continuation.yield(.router(event))
        }
    }

    /// Joins, and serves until `leave()`; returns when the room is left and every device is closed.
    package func run() async {
        let router = self.router
        loop.post { router.start() }
        let continuation = post
        let events = service.events
        let forwarding = Task {
            for await event in events { continuation.yield(.room(event)) }
        }
        do throws(RoomSessionError) {
            try session.join(at: MonotonicClock.now())
        } catch {
            preconditionFailure("a new session may join")
        }
        carryOutOutputs()
        for await event in inbox {
            handle(event)
            carryOutOutputs()
            if isFinishing && !session.state.isJoined && joining == nil { break }
        }
        timer?.cancel()
        forwarding.cancel()
        await loop.call { router.stop() }
        await service.close()
        _ = await forwarding.value
    }

    /// Leaves the room; `run()` then returns.
    package nonisolated func leave() {
        post.yield(.leaveRequested)
    }

    private func handle(_ event: EndpointEvent) {
        let now = MonotonicClock.now()
        switch event {
        case .room(let event): handle(event, at: now)
        case .router(let event): handle(event)
        case .joinFinished(let attempt, let result):
            if attempt == session.attempt { joining = nil }
            switch result {
            case .joined:
                let router = self.router
                loop.post { router.roomJoined() }
                session.joined(attempt: attempt, at: now)
                if firstJoinTime == nil { firstJoinTime = now }
                joinCount += 1
            case .failed(let reason):
                forgetRoom()
                session.joinFailed(attempt: attempt, reason, at: now)
            }
        case .leaveFinished:
            session.left(at: now)
        case .timer:
            session.advance(to: now)
        case .leaveRequested:
            isFinishing = true
            do throws(RoomSessionError) {
                try session.leave(at: now)
            } catch {
                Log.debug("room", "leave: \(error)")
            }
        }
    }

    private func handle(_ event: RoomEvent, at now: MonotonicTime) {
        let router = self.router
        switch event {
        case .participantJoined(let participant):
            participants[participant.id] = participant
            Log.notice("room", "participantJoined \(participant.id)")
        case .participantChanged(let participant):
            participants[participant.id] = participant
            Log.notice("room", "participantChanged \(participant.id) (\(participant.role.rawValue))")
        case .participantLeft(let id, let reason):
            participants[id] = nil
            loop.post { if reason.isLost { router.participantLost(id) } else { router.participantGone(id) } }
            Log.notice("room", "participantLeft \(id) (\(reason.rawValue))")
        case .streamAdded(let stream):
            streams[stream.id] = stream
            Log.notice("room", "streamAdded \(stream.id) of \(stream.participant)")
        case .streamRemoved(let id):
            streams[id] = nil
            Log.notice("room", "streamRemoved \(id)")
        case .streamChanged(let stream):
            streams[stream.id] = stream
            Log.notice("room", "streamChanged \(stream.id): \(stream.stateText)")
        case .messageReceived(let sender, _):
            Log.info("room", "messageReceived from \(sender)")
        case .kickedOut(let reason):
            forgetRoom()
            loop.post { router.closeAll() }
            session.disconnected(reason, at: now)
        case .connectionWanted(let id, let isPolite, let startsOffer):
            loop.post { router.open(id, isPolite: isPolite, startsOffer: startsOffer) }
        case .signal(let id, let signal):
            loop.post { router.receive(signal, on: id) }
        case .connectionClosed(let id):
            loop.post { router.close(id) }
        case .disconnected(let error):
            forgetRoom()
            session.disconnected(error.reason, at: now)
        }
    }

    private func handle(_ event: RouterEvent) {
        switch event {
        case .signal(let id, let signal):
            service.send(signal, on: id)
        case .connectionChanged(let id, let state):
            Log.notice("play", "connection with \(id): \(state)")
        case .connectionFailed(let id, let reason):
            Log.warning("play", "connection with \(id) failed: \(reason)")
        case .healthChanged(let id, let health):
            Log.info("play", "media of \(id): \(health.rawValue)")
        case .rejoinWanted(let reason):
            forgetRoom()
            let service = self.service
            Task { await service.leave() }
            session.disconnected(RoomReason(.transient, reason), at: MonotonicClock.now())
        }
    }

    /// The room is gone: so are its participants and streams. Media goes on while it can.
    private func forgetRoom() {
        participants = [:]
        streams = [:]
        let router = self.router
        loop.post { router.roomLost() }
    }

    private func carryOutOutputs() {
        while let output = session.pollOutput() {
            switch output {
            case .stateChanged(let state, let reason):
                self.reason = reason
                let suffix = reason == .requested ? "" : " (\(reason.text))"
                Log.notice("room", "\(state.rawValue) \(settings.room)\(suffix)")
            case .startJoin(let attempt):
                // What an earlier attempt still said when it was given up.
                forgetRoom()
                startJoin(attempt)
            case .cancelJoin:
                cancelJoin()
            case .checkConnection:
                service.checkConnection()
            case .startLeave:
                startLeave()
            }
        }
        planTimer()
    }

    private func startJoin(_ attempt: Int) {
        let settings = self.settings
        let service = self.service
        let continuation = post
        let request = JoinRequest(
            room: settings.room, participant: settings.participant, mayReplace: session.mayReplace,
            token: settings.token)
        let stream = LocalStream(
            id: settings.streamID, hasAudio: engine.capture != nil, hasVideo: engine.encoding != nil)
        let ending = self.ending
        joining = Task {
            await ending?.value
            do throws(RoomError) {
                _ = try await service.join(request)
                if settings.canPublish && (stream.hasAudio || stream.hasVideo) { try await service.publish(stream) }
                continuation.yield(.joinFinished(attempt: attempt, .joined))
            } catch {
                // A room that may not be published in is of no use to this endpoint: leave it before the next attempt.
                await service.leave()
                continuation.yield(.joinFinished(attempt: attempt, .failed(error.reason)))
            }
        }
    }

    private func cancelJoin() {
        guard let joining else { return }
        let service = self.service
        joining.cancel()
        self.joining = nil
        ending = Task {
            // Also when it had just succeeded.
            await service.leave()
            await joining.value
        }
    }

    private func startLeave() {
        let service = self.service
        let router = self.router
        let continuation = post
        loop.post { router.closeAll() }
        participants = [:]
        streams = [:]
        Task {
            await service.leave()
            continuation.yield(.leaveFinished)
        }
    }

    private func planTimer() {
        timer?.cancel()
        let deadline = session.nextDeadline
        guard deadline != .distantFuture else { return }
        let wait = max(0, (deadline - MonotonicClock.now()).nanoseconds)
        let continuation = post
        timer = Task {
            do {
                try await Task.sleep(nanoseconds: UInt64(wait))
            } catch {
                return
            }
            continuation.yield(.timer)
        }
    }

    /// What status shows, without any secret.
    package func status() async -> EndpointStatus {
        let router = self.router
        let connections = await loop.call { router.statuses } ?? []
        return EndpointStatus(
            state: session.state, reason: reason.text, room: settings.room, participant: settings.participant,
            startTime: startTime, joinedTime: firstJoinTime, joinCount: joinCount,
            participants: participants.values.sorted { $0.id < $1.id },
            streams: streams.values.sorted { $0.id < $1.id }, connections: connections, engine: engine)
    }
}
