import MediaTypes

@testable import Calls

/// Endpoints' cores around one room, without network and hardware: messages arrive at once, joining takes 10 ms.
struct CoreTable {
    struct Obeyed: Equatable {
        var by: ParticipantID
        var output: EndpointCore.Output
    }

    private(set) var cores: [ParticipantID: EndpointCore] = [:]
    private(set) var now = MonotonicTime.zero
    private(set) var inRoom: Set<ParticipantID> = []
    private var joins: [(time: MonotonicTime, id: ParticipantID, attempt: Int)] = []
    var isServerUp = true
    /// What reached hardware or people.
    private(set) var obeyed: [Obeyed] = []

    mutating func add(_ id: ParticipantID, mode: JoiningMode, change: (inout EndpointCore.Settings) -> Void = { _ in })
        throws
    {
        var settings = EndpointCore.Settings(
            participant: Participant(id: id, name: id, role: mode == .listen ? .audience : .host))
        settings.mode = mode
        settings.cameraCount = 2
        change(&settings)
        var core = EndpointCore(settings: settings, seed: UInt64(cores.count + 1))
        try core.join(at: now)
        cores[id] = core
        run(for: .milliseconds(100))
    }

    func core(_ id: ParticipantID) -> EndpointCore {
        guard let core = cores[id] else { preconditionFailure("\(id) is not at the table") }
        return core
    }

    func plan(_ id: ParticipantID) -> EndpointPlan { core(id).plan }

    /// Does something at one endpoint and lets everything that follows from it happen.
    mutating func at<Failure: Error>(
        _ id: ParticipantID, _ act: (inout EndpointCore, MonotonicTime) throws(Failure) -> Void
    ) throws(Failure) {
        var core = core(id)
        try act(&core, now)
        cores[id] = core
        carryOut()
    }

    mutating func run(for time: Interval) {
        let end = now + time
        carryOut()
        while true {
            var next = end
            for core in cores.values { next = min(next, core.nextDeadline) }
            for join in joins { next = min(next, join.time) }
            now = max(now, next)
            answerJoins()
            for id in cores.keys.sorted() { cores[id]?.advance(to: now) }
            carryOut()
            if now >= end { return }
        }
    }

    /// Every connection to the server breaks.
    mutating func loseServer() {
        isServerUp = false
        inRoom = []
        for id in cores.keys.sorted() { cores[id]?.disconnected(RoomReason(.transient, "the lobby is gone"), at: now) }
        carryOut()
    }

    /// One endpoint vanishes, as by a power cut.
    mutating func kill(_ id: ParticipantID) {
        cores[id] = nil
        remove(id, isLost: true)
        carryOut()
    }

    private mutating func remove(_ id: ParticipantID, isLost: Bool) {
        guard inRoom.remove(id) != nil else { return }
        for other in inRoom.sorted() { cores[other]?.participantLeft(id, isLost: isLost, at: now) }
    }

    private mutating func answerJoins() {
        let due = joins.filter { $0.time <= now }
        joins.removeAll { $0.time <= now }
        for join in due {
            guard let core = cores[join.id] else { continue }
            guard isServerUp else {
                cores[join.id]?.joinFailed(
                    attempt: join.attempt, RoomReason(.transient, "no answer"), at: now)
                continue
            }
            let others = inRoom.compactMap { cores[$0]?.participant }
            inRoom.insert(join.id)
            cores[join.id]?.joined(attempt: join.attempt, present: others, at: now)
            for other in inRoom.sorted() where other != join.id {
                cores[other]?.participantJoined(core.participant, at: now)
            }
        }
    }

    private mutating func carryOut() {
        var isQuiet = false
        while !isQuiet {
            isQuiet = true
            for id in cores.keys.sorted() {
                while let output = cores[id]?.pollOutput() {
                    isQuiet = false
                    carryOut(output, of: id)
                }
            }
        }
    }

    private mutating func carryOut(_ output: EndpointCore.Output, of id: ParticipantID) {
        switch output {
        case .room(.startJoin(let attempt)): joins.append((now + .milliseconds(10), id, attempt))
        case .publisher(.publish(let request)): cores[id]?.published(request: request, at: now)
        case .room(.startLeave):
            remove(id, isLost: false)
            cores[id]?.left(at: now)
        case .abandonRoom: remove(id, isLost: true)
        case .send(let message, let receiver):
            guard inRoom.contains(id) else { return }
            for other in inRoom.sorted() where other != id && (receiver == nil || receiver == other) {
                cores[other]?.receive(message, from: id, at: now)
            }
        default: obeyed.append(Obeyed(by: id, output: output))
        }
    }
}

extension EndpointCore {
    /// As the room service describes this endpoint to others.
    var participant: Participant {
        Participant(id: settings.participant.id, name: settings.participant.name, role: plan.role)
    }
}
