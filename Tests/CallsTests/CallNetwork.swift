import MediaTypes

@testable import Calls

/// Call sessions in one simulated room, in virtual time: messages arrive in order after random times, connections break
/// unnoticed, ends and room notice at different times, come back, restart or leave; media flows while both are in the call.
struct CallNetwork {
    struct Options {
        var ends = 2
        /// Connections break, ends restart and leave.
        var faults = false
        /// Messages arrive a second time, late.
        var duplicates = false
        /// A participant without a session sends whatever it likes.
        var hostile = false
    }

    enum Downlink {
        case joined([Int])
        case participantJoined(Int)
        case participantLeft(Int, isLost: Bool)
        case message(CallMessage, from: Int)
    }

    enum Uplink {
        case join
        case leave
        case message(CallMessage, to: Int)
    }

    enum Happening {
        case command(Int)
        case up(Int, epoch: Int, Uplink)
        case down(Int, epoch: Int, Downlink)
        case endNotices(Int, epoch: Int)
        case roomNotices(Int, epoch: Int)
        case rejoin(Int)
        case media(Int, other: Int, Bool)
        case fault
        case nonsense
    }

    struct Report {
        var reason: CallEndReason
        var other: ParticipantID?
        var wasIncoming: Bool
        var time: MonotonicTime
    }

    struct End {
        var session: CallSession
        /// The number of its connection to the room; an older one is dead.
        var epoch = 0
        var isBroken = true
        /// Its media does not get through either.
        var isCut = false
        var upTime = MonotonicTime.zero
        var downTime = MonotonicTime.zero
        /// Of calls since the last restart.
        var reports: [String: Report] = [:]
        var begun: [String: MonotonicTime] = [:]
        var merged: Set<String> = []
        var flowing: Set<Int> = []
        var outages: [(from: MonotonicTime, to: MonotonicTime)] = []
        var departures: [MonotonicTime] = []
    }

    static let lostTime = Interval.seconds(10)
    let options: Options
    var random: SeededRandom
    var now = MonotonicTime(nanoseconds: 1_000_000_000)
    var ends: [End] = []
    /// The connection by which the room knows each participant.
    var members: [Int: Int] = [:]
    /// Latest first.
    private var queue: [(time: MonotonicTime, order: Int, happening: Happening)] = []
    private var order = 0
    private var calls = 0
    var isDraining = false
    /// Both ends reported, and the reasons were compared.
    var compared = 0
    var exempt = 0
    var inputs = 0
    var answeredCalls = 0
    var failures: [String] = []

    init(_ options: Options, seed: UInt64) {
        self.options = options
        random = SeededRandom(seed: seed)
        for index in 0..<options.ends {
            ends.append(End(session: CallNetwork.session(index)))
            schedule(.rejoin(index), in: .zero)
            schedule(.command(index), in: between(1_000, 3_000))
        }
        if options.hostile { members[options.ends] = 0 }
        if options.faults { schedule(.fault, in: between(1_000, 20_000)) }
        if options.hostile { schedule(.nonsense, in: between(1_000, 3_000)) }
    }

    static func id(_ index: Int) -> ParticipantID { "p\(index)" }

    private static func session(_ index: Int) -> CallSession {
        CallSession(
            ownID: id(index),
            settings: CallSettings(
                ringTime: .seconds(15), lostTime: lostTime, autoAnswer: index == 2 ? ["p0"] : []))
    }

    // MARK: Time

    mutating func between(_ low: Int64, _ high: Int64) -> Interval {
        .milliseconds(Int64.random(in: low...high, using: &random))
    }

    mutating func schedule(_ happening: Happening, in delay: Interval) {
        schedule(happening, at: now + delay)
    }

    private mutating func schedule(_ happening: Happening, at time: MonotonicTime) {
        order += 1
        var low = 0
        var high = queue.count
        while low < high {
            let middle = (low + high) / 2
            if (queue[middle].time, queue[middle].order) > (time, order) { low = middle + 1 } else { high = middle }
        }
        queue.insert((time, order, happening), at: low)
    }

    mutating func run(for duration: Interval) {
        let end = now + duration
        while true {
            var next = queue.last?.time ?? .distantFuture
            var timer: Int?
            for index in ends.indices where ends[index].session.nextDeadline < next {
                next = ends[index].session.nextDeadline
                timer = index
            }
            guard next <= end else { break }
            now = max(now, next)
            inputs += 1
            if let timer {
                ends[timer].session.advance(to: now)
                if ends[timer].session.nextDeadline <= now { fail("end \(timer) does not advance") }
                collect(timer)
            } else if let event = queue.popLast() {
                handle(event.happening)
            }
            checkStates()
        }
        now = end
    }

    // MARK: Happenings

    private mutating func handle(_ happening: Happening) {
        switch happening {
        case .command(let index):
            if isDraining { return }
            command(index)
            schedule(.command(index), in: between(100, 6_000))
        case .up(let index, let epoch, let uplink): arrive(from: index, epoch, uplink)
        case .down(let index, let epoch, let downlink):
            guard ends[index].epoch == epoch, !ends[index].isBroken else { return }
            take(index, downlink)
        case .endNotices(let index, let epoch):
            guard ends[index].epoch == epoch else { return }
            ends[index].session.roomLost(at: now)
            collect(index)
        case .roomNotices(let index, let epoch):
            guard members[index] == epoch else { return }
            members[index] = nil
            broadcast(.participantLeft(index, isLost: true), except: index)
        case .rejoin(let index):
            ends[index].epoch += 1
            ends[index].isBroken = false
            ends[index].isCut = false
            if let last = ends[index].outages.indices.last { ends[index].outages[last].to = now + .milliseconds(500) }
            sendUp(index, .join)
        case .media(let index, let other, let flows):
            ends[index].session.mediaChanged(with: CallNetwork.id(other), isFlowing: flows, at: now)
            collect(index)
        case .fault:
            if isDraining { return }
            fault()
            schedule(.fault, in: between(1_000, 40_000))
        case .nonsense:
            if isDraining { return }
            sendNonsense()
            schedule(.nonsense, in: between(200, 4_000))
        }
    }

    private mutating func command(_ index: Int) {
        do throws(CallError) {
            switch (ends[index].session.state, Int.random(in: 0..<10, using: &random)) {
            case (.idle, 0..<6):
                calls += 1
                var targets: [ParticipantID] = []
                for _ in 0...(Int.random(in: 0..<3, using: &random)) {
                    targets.append(CallNetwork.id(Int.random(in: 0...ends.count, using: &random)))
                }
                try ends[index].session.call(targets, callID: "c\(calls)", at: now)
            case (.ringing, 0..<6): try ends[index].session.answer(at: now)
            case (.ringing, 6): try ends[index].session.decline(at: now)
            case (.calling, 0..<2), (.inCall, 0..<3): try ends[index].session.hangUp(at: now)
            // Mostly refused.
            case (_, 8): try ends[index].session.answer(at: now)
            case (_, 9): try ends[index].session.decline(at: now)
            default: return
            }
        } catch {}
        collect(index)
    }

    private mutating func fault() {
        let index = Int.random(in: ends.indices, using: &random)
        guard !ends[index].isBroken else { return }
        switch Int.random(in: 0..<12, using: &random) {
        case 0:  // restarts
            ends[index].session = CallNetwork.session(index)
            ends[index].reports = [:]
            ends[index].begun = [:]
            ends[index].merged = []
            ends[index].flowing = []
            ends[index].departures.append(now)
            ends[index].isBroken = true
            schedule(.roomNotices(index, epoch: ends[index].epoch), in: between(10, 300))
            schedule(.rejoin(index), in: between(500, 3_000))
        case 1:  // leaves, and comes back
            ends[index].session.leaveRoom(at: now)
            collect(index)
            ends[index].departures.append(now)
            sendUp(index, .leave)
            schedule(.rejoin(index), in: between(500, 5_000))
        case 2:  // the lobby restarts
            let delay = between(500, 8_000)
            for other in ends.indices where !ends[other].isBroken {
                breakConnection(other, isCut: false, noticed: .milliseconds(50), back: delay)
            }
        default:
            let isLong = Int.random(in: 0..<4, using: &random) == 0
            breakConnection(
                index, isCut: Bool.random(using: &random), noticed: between(50, 4_000),
                back: isLong ? between(5_000, 40_000) : between(100, 3_000))
        }
    }

    private mutating func breakConnection(_ index: Int, isCut: Bool, noticed: Interval, back: Interval) {
        ends[index].isBroken = true
        ends[index].isCut = isCut
        ends[index].outages.append((now, .distantFuture))
        schedule(.endNotices(index, epoch: ends[index].epoch), in: noticed)
        schedule(.roomNotices(index, epoch: ends[index].epoch), in: between(50, 6_000))
        schedule(.rejoin(index), in: noticed + back)
    }

    private mutating func sendNonsense() {
        let event = CallMessage.Event.allCases[Int.random(in: 0..<9, using: &random)]
        let target = Int.random(in: ends.indices, using: &random)
        let callID = ends[target].session.callID ?? "h\(Int.random(in: 0..<50, using: &random))"
        let isOwn = Bool.random(using: &random)
        let message = CallMessage(
            event, callID: isOwn ? "h\(Int.random(in: 0..<50, using: &random))" : callID,
            reason: Bool.random(using: &random) ? .busy : nil)
        sendDown(target, .message(message, from: ends.count))
    }

    // MARK: The room

    private mutating func sendUp(_ index: Int, _ uplink: Uplink) {
        guard !ends[index].isBroken else { return }
        let time = max(ends[index].upTime, now + between(1, 150))
        ends[index].upTime = time
        schedule(.up(index, epoch: ends[index].epoch, uplink), at: time)
    }

    private mutating func sendDown(_ index: Int, _ downlink: Downlink) {
        guard ends.indices.contains(index), let epoch = members[index] else { return }
        let time = max(ends[index].downTime, now + between(1, 150))
        ends[index].downTime = time
        schedule(.down(index, epoch: epoch, downlink), at: time)
        if options.duplicates, case .message = downlink, Int.random(in: 0..<8, using: &random) == 0 {
            schedule(.down(index, epoch: epoch, downlink), at: time + between(0, 8_000))
        }
    }

    private mutating func broadcast(_ downlink: Downlink, except index: Int) {
        for other in members.keys.sorted() where other != index { sendDown(other, downlink) }
    }

    private mutating func arrive(from index: Int, _ epoch: Int, _ uplink: Uplink) {
        guard ends[index].epoch == epoch, !ends[index].isBroken else { return }
        switch uplink {
        case .join:
            // The same participant joined elsewhere.
            if members[index] != nil { broadcast(.participantLeft(index, isLost: true), except: index) }
            members[index] = nil
            broadcast(.participantJoined(index), except: index)
            members[index] = epoch
            sendDown(index, .joined(members.keys.filter { $0 != index }.sorted()))
        case .leave:
            guard members[index] == epoch else { return }
            members[index] = nil
            ends[index].isBroken = true
            broadcast(.participantLeft(index, isLost: false), except: index)
        case .message(let message, let receiver):
            guard members[index] == epoch else { return }
            sendDown(receiver, .message(message, from: index))
        }
    }

    private mutating func take(_ index: Int, _ downlink: Downlink) {
        switch downlink {
        case .joined(let others):
            // Some services tell of the participants later.
            if Bool.random(using: &random) {
                ends[index].session.roomJoined(participants: Set(others.map(CallNetwork.id)), at: now)
            } else {
                let isEarly = Bool.random(using: &random)
                if !isEarly { ends[index].session.roomJoined(participants: [], at: now) }
                for other in others { ends[index].session.participantJoined(CallNetwork.id(other), at: now) }
                if isEarly { ends[index].session.roomJoined(participants: [], at: now) }
            }
        case .participantJoined(let other):
            ends[index].session.participantJoined(CallNetwork.id(other), at: now)
        case .participantLeft(let other, let isLost):
            ends[index].session.participantLeft(CallNetwork.id(other), isLost: isLost, at: now)
        case .message(let message, let sender):
            ends[index].session.receive(message, from: CallNetwork.id(sender), at: now)
        }
        collect(index)
    }

    // MARK: What the sessions say

    mutating func collect(_ index: Int) {
        while let output = ends[index].session.pollOutput() {
            switch output {
            case .send(let message, let receiver):
                guard let target = Int(receiver.dropFirst()) else { continue }
                sendUp(index, .message(message, to: target))
            case .stateChanged(let state, _):
                if state == .idle { break }
                guard let callID = ends[index].session.callID else { break }
                if state == .inCall {
                    answeredCalls += 1
                    for other in ends[index].begun.keys where other != callID && ends[index].reports[other] == nil {
                        // Its own call, which became the other's.
                        if !ends[index].session.closing.contains(where: { $0.callID == other }) {
                            ends[index].merged.insert(other)
                        }
                    }
                }
                if ends[index].begun[callID] == nil { ends[index].begun[callID] = now }
            case .ended(let callID, let other, let reason, let wasIncoming):
                if ends[index].reports[callID] != nil { fail("\(callID) ended twice at end \(index)") }
                if ends[index].begun[callID] == nil { ends[index].begun[callID] = now }
                ends[index].reports[callID] = Report(
                    reason: reason, other: other, wasIncoming: wasIncoming, time: now)
            }
        }
        updateMedia()
    }

    private mutating func updateMedia() {
        for first in ends.indices {
            for second in ends.indices where second > first {
                let a = ends[first]
                let b = ends[second]
                let flows =
                    a.session.state == .inCall && b.session.state == .inCall && !a.isCut && !b.isCut
                    && a.session.partner == CallNetwork.id(second) && b.session.partner == CallNetwork.id(first)
                guard flows != a.flowing.contains(second) else { continue }
                if flows { ends[first].flowing.insert(second) } else { ends[first].flowing.remove(second) }
                // Noticed after the same time always, so that the changes arrive in order.
                schedule(.media(first, other: second, flows), in: .milliseconds(600))
                schedule(.media(second, other: first, flows), in: .milliseconds(700))
            }
        }
    }

    mutating func fail(_ text: String) {
        failures.append("\(now.nanoseconds / 1_000_000) ms: \(text)")
    }

    private mutating func checkStates() {
        for index in ends.indices {
            if let problem = ends[index].session.inconsistency(at: now) { fail("end \(index): \(problem)") }
        }
    }
}
