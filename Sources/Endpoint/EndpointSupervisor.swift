import Calls
import MediaEngine
import MediaTypes
import Panel
import PeerConnection
import Realtime
import Rooms
import Telemetry

/// The appliance: carries out what `EndpointCore` decides, on the room service, the media threads, the network thread and
/// the panel.
///
/// No media and nothing that blocks runs here. Everything that happens arrives in one queue and is worked off in order,
/// so that a transition is never interleaved with another.
///
/// ```
/// RoomService events ─┐
/// MediaRouter events ─┤                                  ┌─▶ outputs ─▶ RoomService, Panel, screen
/// Panel gestures ─────┼─▶ inbox ─▶ EndpointCore (pure) ──┤
/// network, clock ─────┤                                  └─▶ plan ─▶ difference ─▶ MediaEngine, MediaRouter, Panel
/// timers, callbox ctl ┘
/// ```
package actor EndpointSupervisor {
    /// How often devices and lines are looked at for the fault LED.
    static let inspectionInterval = Interval.seconds(1)
    /// From the first join until nothing that only the start needed is in use.
    static let settlingTime = Interval.seconds(10)

    let settings: EndpointSettings
    let service: any RoomService
    let engine: MediaEngine
    let loop: NetworkLoop
    let router: MediaRouter
    /// Nil: no button, LED or relay is configured.
    let panel: Panel?
    var core: EndpointCore
    let post: AsyncStream<EndpointEvent>.Continuation
    private let inbox: AsyncStream<EndpointEvent>
    var streams: [StreamID: RemoteStream] = [:]
    /// The remote streams as they said last, also while the room is lost: for the screen.
    var shownStreams: [StreamID: RemoteStream] = [:]
    /// What the screen was told last.
    var shownContent: ScreenContent?
    var ownAddresses: [String] = []
    /// What hardware and network were told last.
    var appliedPlan: EndpointPlan?
    /// As the room service knows it; nil without a room.
    var ownRole: Participant.Role?
    /// What the room service is being told, in its order.
    var telling: Task<Void, Never>?
    /// Counts joins and losses: what was to be told to an earlier room is not told to a later one.
    var roomNumber = 0
    /// What another participant said last to a command of ours.
    var lastAnswer: (from: ParticipantID, refusal: String?)?
    let refusedRequests = Counter("room.refused-requests")
    let unknownMessages = Counter("room.unknown-messages")
    var joining: Task<Void, Never>?
    /// The room service is free for the next join when this has returned.
    var lettingGo: Task<Void, Never>?
    var isFinishing = false
    var reason = RoomReason.requested
    /// The person at the board was told to configure a room.
    var isHintGiven = false
    let startTime: MonotonicTime
    var firstJoinTime: MonotonicTime?
    var joinCount = 0
    /// Nil: no restart is wanted.
    var restartDeadline: MonotonicTime?
    var isRestarting = false
    let hooks: ServiceHooks
    var toldStatus: StatusLine?
    private let heartbeat: Heartbeat
    private var inspectionTime = MonotonicTime.zero
    /// What only the start needed is let go.
    private var hasReleasedStart = false
    private var timer: Task<Void, Never>?
    private var plannedTime = MonotonicTime.distantFuture

    /// - Parameters:
    ///   - startTime: when the process started, for the times in status.
    ///   - seed: spreads the retries of a fleet.
    ///   - hooks: what whoever started it wants to hear.
    package init(
        settings: EndpointSettings, service: any RoomService, engine: MediaEngine, loop: NetworkLoop,
        startTime: MonotonicTime, seed: UInt64, hooks: ServiceHooks = ServiceHooks()
    ) {
        self.settings = settings
        self.service = service
        self.engine = engine
        self.loop = loop
        self.startTime = startTime
        core = EndpointCore(settings: settings.core, seed: seed)
        let (stream, continuation) = AsyncStream<EndpointEvent>.makeStream(bufferingPolicy: .bufferingNewest(4_096))
        inbox = stream
        post = continuation
        self.hooks = hooks
        heartbeat = Heartbeat(name: "endpoint", at: MonotonicClock.now()) { continuation.yield(.heartbeat) }
        panel = settings.panel.isEmpty ? nil : Panel(settings: settings.panel) { continuation.yield(.panel($0)) }
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
        heartbeat.enrol()
        let router = self.router
        loop.post { router.start() }
        let continuation = post
        let events = service.events
        let forwarding = Task {
            for await event in events { continuation.yield(.room(event)) }
        }
        let watch = SystemWatch(loop: loop) { continuation.yield($0) }
        loop.post { watch.start() }
        startPanel()
        readAddresses()
        do throws(RoomSessionError) {
            try core.join(at: MonotonicClock.now())
        } catch {
            preconditionFailure("a new session may join")
        }
        settle()
        for await event in inbox {
            heartbeat.beat()
            handle(event, at: MonotonicClock.now())
            settle()
            if isFinishing && !core.room.state.isJoined && joining == nil { break }
        }
        heartbeat.retire()
        timer?.cancel()
        forwarding.cancel()
        await loop.call {
            watch.stop()
            router.stop()
        }
        await service.close()
        _ = await forwarding.value
        panel?.stop()
    }

    /// Leaves the room; `run()` then returns.
    package nonisolated func leave() {
        post.yield(.leaveRequested)
    }

    private func handle(_ event: EndpointEvent, at now: MonotonicTime) {
        switch event {
        case .room(let event): handle(event, at: now)
        case .router(let event): handle(event, at: now)
        case .panel(let event): handle(event, at: now)
        case .joinFinished(let attempt, let result): finishJoin(attempt, result, at: now)
        case .leaveFinished: core.left(at: now)
        case .published(let request, let refusal):
            if let refusal {
                core.publishingFailed(request: request, refusal, at: now)
            } else {
                core.published(request: request, at: now)
            }
        case .networkChanged(let changes): handle(changes, at: now)
        case .clockSet: core.retryNow(at: now)
        case .pressEnded(let line): _ = panel?.setSimulatedLine(line, active: false)
        case .timer, .heartbeat: break
        case .leaveRequested:
            isFinishing = true
            do throws(RoomSessionError) {
                try core.leave(at: now)
            } catch {
                Log.debug("room", "leave: \(error)")
            }
        }
    }

    /// Carries out what an input led to. Called after each.
    func settle() {
        let now = MonotonicClock.now()
        core.advance(to: now)
        if inspectionTime <= now {
            inspect()
            releaseStart(at: now)
            inspectionTime = now + EndpointSupervisor.inspectionInterval
        }
        while let output = core.pollOutput() { carryOut(output) }
        apply(core.plan)
        restartIfDue(at: now)
        tellStatus()
        updateScreen()
        planTimer()
    }

    /// Some time after the first join the process becomes as small as it stays.
    private func releaseStart(at now: MonotonicTime) {
        guard let firstJoinTime, !hasReleasedStart, now >= firstJoinTime + EndpointSupervisor.settlingTime else {
            return
        }
        hasReleasedStart = true
        let released = ProcessMemory.releaseFilePages()
        Log.debug("endpoint", "let go of \(released) KiB of program and library pages")
    }

    /// Devices and lines that do not work light the fault LED.
    private func inspect() {
        var faults = Set(
            engine.devices.snapshot.compactMap { part, entry in entry.fault.map { "\(part.rawValue): \($0)" } })
        for line in panel?.snapshot ?? [] {
            if let fault = line.fault { faults.insert("\(line.name): \(fault)") }
        }
        if let fault = core.publisher.reason, fault.kind == .incurable { faults.insert("publishing: \(fault.text)") }
        core.faults = faults
    }

    private func planTimer() {
        let deadline = min(core.nextDeadline, inspectionTime)
        guard deadline != plannedTime || timer == nil else { return }
        plannedTime = deadline
        timer?.cancel()
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
}
