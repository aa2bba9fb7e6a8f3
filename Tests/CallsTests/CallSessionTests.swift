import MediaTypes
import Testing

@testable import Calls

/// Sessions in one room whose messages arrive when the test lets them.
private struct Room {
    var sessions: [ParticipantID: CallSession] = [:]
    /// Sent, not arrived.
    var pending: [(message: CallMessage, from: ParticipantID, to: ParticipantID)] = []
    var ended: [ParticipantID: [CallEndReason]] = [:]
    var now = MonotonicTime(nanoseconds: 1_000_000_000)

    init(_ ids: [ParticipantID], autoAnswer: Set<ParticipantID> = []) {
        for id in ids {
            sessions[id] = CallSession(ownID: id, settings: CallSettings(autoAnswer: autoAnswer))
            sessions[id]?.roomJoined(participants: Set(ids), at: now)
        }
    }

    subscript(_ id: ParticipantID) -> CallSession {
        get { sessions[id, default: CallSession(ownID: id)] }
        set {
            sessions[id] = newValue
            while let output = sessions[id]?.pollOutput() {
                switch output {
                case .send(let message, let receiver): pending.append((message, id, receiver))
                case .ended(_, _, let reason, _): ended[id, default: []].append(reason)
                case .stateChanged: break
                }
            }
        }
    }

    /// Lets what was sent arrive, and what is answered to it.
    mutating func deliver() {
        while !pending.isEmpty {
            let (message, sender, receiver) = pending.removeFirst()
            self[receiver].receive(message, from: sender, at: now)
        }
    }

    mutating func advance(_ interval: Interval) {
        let end = now + interval
        while let next = sessions.values.map(\.nextDeadline).min(), next <= end {
            now = max(now, next)
            for id in sessions.keys { self[id].advance(to: now) }
            deliver()
        }
        now = end
    }

    mutating func lose(_ id: ParticipantID) {
        self[id].roomLost(at: now)
        pending.removeAll { $0.to == id || $0.from == id }
        for other in sessions.keys where other != id { self[other].participantLeft(id, isLost: true, at: now) }
    }

    mutating func bringBack(_ id: ParticipantID) {
        for other in sessions.keys where other != id { self[other].participantJoined(id, at: now) }
        self[id].roomJoined(participants: Set(sessions.keys), at: now)
        deliver()
    }

    mutating func talk(_ caller: ParticipantID, _ callee: ParticipantID) throws {
        try self[caller].call([callee], callID: "x", at: now)
        deliver()
        try self[callee].answer(at: now)
        deliver()
        try #require(self[caller].state == .inCall && self[callee].state == .inCall)
    }
}

@Suite struct CallSessionTests {
    @Test func aCallRingsIsAnsweredAndHungUp() throws {
        var room = Room(["door", "desk"])
        try room["door"].call(["desk"], callID: "x", at: room.now)
        #expect(room["door"].state == .calling && room["door"].partner == nil)
        room.deliver()
        #expect(room["desk"].state == .ringing && room["desk"].partner == "door")
        #expect(room["door"].rungTargets == ["desk"])
        try room["desk"].answer(at: room.now)
        room.deliver()
        #expect(room["door"].state == .inCall && room["door"].partner == "desk")
        try room["desk"].hangUp(at: room.now)
        #expect(room["desk"].state == .idle)
        room.deliver()
        #expect(room.ended == ["door": [.hungUp], "desk": [.hungUp]])
    }

    @Test func whenBothEndAtOnceTheCallersWordCounts() throws {
        var room = Room(["door", "desk"])
        try room["door"].call(["desk"], callID: "x", at: room.now)
        room.deliver()
        try room["door"].hangUp(at: room.now)
        try room["desk"].decline(at: room.now)
        #expect(room.ended == ["door": [.cancelled]])
        room.deliver()
        #expect(room.ended == ["door": [.cancelled], "desk": [.cancelled]])
    }

    @Test func anAnswerThatCrossesTheCancelEndsAsCancelled() throws {
        var room = Room(["door", "desk"])
        try room["door"].call(["desk"], callID: "x", at: room.now)
        room.deliver()
        try room["desk"].answer(at: room.now)
        try room["door"].hangUp(at: room.now)
        room.deliver()
        #expect(room["desk"].state == .idle)
        #expect(room.ended == ["door": [.cancelled], "desk": [.cancelled]])
    }

    @Test func aCallThatNobodyAnswersTimesOutAtBothEnds() throws {
        var room = Room(["door", "desk"])
        try room["door"].call(["desk"], callID: "x", at: room.now)
        room.deliver()
        room.advance(.seconds(29))
        #expect(room["desk"].state == .ringing)
        room.advance(.seconds(2))
        #expect(room.ended == ["door": [.timedOut], "desk": [.timedOut]])
    }

    @Test func theCalleesOwnTimerEndsACallOfAForgetfulCaller() throws {
        var room = Room(["door"])
        room["door"].participantJoined("page", at: room.now)
        room["door"].receive(CallMessage(.invite, callID: "x"), from: "page", at: room.now)
        room.pending = []
        room.advance(.seconds(36))
        #expect(room["door"].state == .idle)
        #expect(room.pending.map(\.message) == [])
        // The page never confirms.
        room.advance(.seconds(10))
        #expect(room.ended == ["door": [.timedOut]])
    }

    @Test func bothCallingEachOtherBecomesOneCall() throws {
        var room = Room(["a", "b"])
        try room["a"].call(["b"], callID: "xa", at: room.now)
        try room["b"].call(["a"], callID: "xb", at: room.now)
        room.deliver()
        #expect(room["a"].state == .inCall && room["b"].state == .inCall)
        #expect(room["a"].callID == "xa" && room["b"].callID == "xa")
        #expect(room.ended.isEmpty)
        try room["b"].hangUp(at: room.now)
        room.deliver()
        #expect(room.ended == ["a": [.hungUp], "b": [.hungUp]])
    }

    @Test func aCollisionLeavesNobodyElseRinging() throws {
        var room = Room(["a", "b", "c"])
        try room["b"].call(["a", "c"], callID: "xb", at: room.now)
        try room["a"].call(["b"], callID: "xa", at: room.now)
        room.deliver()
        #expect(room["a"].partner == "b" && room["b"].partner == "a")
        #expect(room["c"].state == .idle)
        #expect(room.ended == ["c": [.answeredElsewhere]])
    }

    @Test func theFirstOfAListToAnswerGetsTheCall() throws {
        var room = Room(["a", "b", "c", "d"])
        try room["a"].call(["b", "c", "d", "b", "a"], callID: "x", at: room.now)
        #expect(room["a"].targets == ["b", "c", "d"])
        room.deliver()
        try room["d"].decline(at: room.now)
        try room["b"].answer(at: room.now)
        try room["c"].answer(at: room.now)
        room.deliver()
        #expect(room["a"].partner == "b" && room["b"].state == .inCall && room["c"].state == .idle)
        #expect(room.ended == ["c": [.answeredElsewhere], "d": [.declined]])
    }

    @Test func aListThatComesToNothingSaysTheMostTellingReason() throws {
        var room = Room(["a", "b", "c", "d"])
        try room["c"].call(["d"], callID: "y", at: room.now)
        room.deliver()
        try room["a"].call(["b", "c", "gone"], callID: "x", at: room.now)
        room.deliver()
        #expect(room["a"].state == .calling && room.ended == ["c": [.busy]])
        try room["b"].decline(at: room.now)
        room.deliver()
        #expect(room.ended["a"] == [.declined] && room.ended["b"] == [.declined])
    }

    @Test func callsThatCannotBeMadeAreRefusedOrOffline() throws {
        var room = Room(["a", "b"])
        let now = room.now
        #expect(throws: CallError.nobodyToCall) { try room["a"].call(["a"], callID: "x", at: now) }
        #expect(throws: CallError.noCall) { try room["a"].hangUp(at: now) }
        try room["a"].call(["gone"], callID: "x", at: now)
        #expect(room["a"].state == .idle && room.ended == ["a": [.offline]])
        room.lose("a")
        #expect(throws: CallError.roomNotJoined) { try room["a"].call(["b"], callID: "y", at: now) }
    }

    @Test func aListedCallerIsAnsweredAtOnce() throws {
        var room = Room(["a", "b"], autoAnswer: ["a"])
        try room["a"].call(["b"], callID: "x", at: room.now)
        room.deliver()
        #expect(room["a"].state == .inCall && room["b"].state == .inCall)
        #expect(room.pending.isEmpty)
    }

    @Test func anAnsweredCallOutlivesTheLossOfTheRoom() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        room.lose("b")
        room.advance(.seconds(9))
        #expect(room["a"].state == .inCall && room["b"].state == .inCall)
        room.bringBack("b")
        room.advance(.seconds(60))
        #expect(room["a"].state == .inCall && room["b"].state == .inCall)
    }

    @Test func aPartnerThatStaysAwayIsLostAtBothEnds() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        room.lose("b")
        room.advance(.seconds(11))
        #expect(room.ended == ["a": [.lost], "b": [.lost]])
    }

    @Test func mediaThatFlowsHoldsACallWithoutARoom() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        for (id, other) in [("a", "b"), ("b", "a")] {
            room[id].mediaChanged(with: other, isFlowing: true, at: room.now)
            room[id].roomLost(at: room.now)
        }
        room.advance(.seconds(3_600))
        #expect(room["a"].state == .inCall && room["b"].state == .inCall)
        for (id, other) in [("a", "b"), ("b", "a")] {
            room[id].mediaChanged(with: other, isFlowing: false, at: room.now)
        }
        room.advance(.seconds(11))
        #expect(room.ended == ["a": [.lost], "b": [.lost]])
    }

    @Test func aPartnerWhoLeavesOnPurposeWithoutHangingUpIsLostAtOnce() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        room["a"].participantLeft("b", isLost: false, at: room.now)
        #expect(room.ended == ["a": [.lost]])
    }

    @Test func aHangUpDuringTheLossIsToldWhenTheOtherIsBack() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        room.lose("b")
        try room["a"].hangUp(at: room.now)
        #expect(room.ended == ["a": [.lost]])
        room.bringBack("b")
        #expect(room["b"].state == .idle)
        #expect(room.ended == ["a": [.lost], "b": [.lost]])
    }

    @Test func aHangUpThatWasLostOnTheWayIsToldAgain() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        try room["a"].hangUp(at: room.now)
        room.lose("b")
        room.bringBack("b")
        #expect(room.ended == ["a": [.hungUp], "b": [.hungUp]])
    }

    @Test func anAnswerThatWasLostOnTheWayIsToldAgain() throws {
        var room = Room(["a", "b"])
        try room["a"].call(["b"], callID: "x", at: room.now)
        room.deliver()
        try room["b"].answer(at: room.now)
        room.lose("b")
        #expect(room["a"].state == .calling)
        room.bringBack("b")
        #expect(room["a"].state == .inCall && room["b"].state == .inCall)
    }

    @Test func aRestartedPartnerKnowsOfNoCall() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        room.lose("b")
        room.sessions["b"] = CallSession(ownID: "b")
        room.bringBack("b")
        #expect(room["a"].state == .idle && room.ended == ["a": [.lost]])
    }

    @Test func whoLeavesTheRoomHangsUpFirst() throws {
        var room = Room(["a", "b"])
        try room.talk("a", "b")
        room["b"].leaveRoom(at: room.now)
        room.deliver()
        #expect(room.ended == ["a": [.hungUp], "b": [.hungUp]])
        // What still comes from the room it has left means nothing.
        room["b"].participantJoined("a", at: room.now)
        room["b"].receive(CallMessage(.invite, callID: "y"), from: "a", at: room.now)
        #expect(room["b"].state == .idle)
    }

    @Test func nonsenseIsAnsweredSparinglyAndCounted() {
        var room = Room(["a", "b"])
        for number in 0..<1_000 {
            room["a"].receive(CallMessage(.resume, callID: "\(number)"), from: "b", at: room.now)
            room["a"].receive(CallMessage(.cancel, callID: "\(number)"), from: "nobody", at: room.now)
        }
        #expect(room.pending.count == 20)
        #expect(room["a"].ignoredMessages == 2_000)
        room.now = room.now + .seconds(1)
        for number in 0..<1_000 {
            room["a"].receive(CallMessage(.resume, callID: "\(number)"), from: "b", at: room.now)
        }
        #expect(room.pending.count == 22)
    }
}
