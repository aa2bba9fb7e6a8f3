import MediaTypes
import Testing

@testable import Calls

private let start = MonotonicTime(nanoseconds: 1_000_000_000)
private let desk = Participant(id: "desk", name: "Desk")
private let other = Participant(id: "other", name: "", role: .audience)

private func outputs(_ session: inout SpeakSession) -> [SpeakSession.Output] {
    var all: [SpeakSession.Output] = []
    while let output = session.pollOutput() { all.append(output) }
    return all
}

private func outputs(_ desk: inout SpeakDesk) -> [SpeakDesk.Output] {
    var all: [SpeakDesk.Output] = []
    while let output = desk.pollOutput() { all.append(output) }
    return all
}

@Suite struct SpeakTests {
    @Test(arguments: SpeakState.allCases, SpeakTable.Input.allCases)
    func theSessionDoesWhatTheTableSays(state: SpeakState, input: SpeakTable.Input) throws {
        var session = SpeakSession(ownID: "hall")
        func answer(_ command: RoomCommand, _ id: String) -> RoomRequest {
            RoomRequest(command, requestID: id, senderID: "desk", receiverID: "hall")
        }
        if state != .idle { try session.apply(requestID: "r", at: start) }
        if state == .speaking { session.receive(answer(.acceptToSpeak, "r"), from: desk, at: start) }
        try #require(session.state == state)
        _ = outputs(&session)
        let outcome = SpeakTable.outcome(of: input, in: state)
        var error: SpeakError?
        do throws(SpeakError) {
            switch input {
            case .apply: try session.apply(requestID: "r", at: start)
            case .cancel: try session.cancel(at: start)
            case .accept:
                // Without an application every accepted one is another.
                session.receive(answer(.acceptToSpeak, "r"), from: desk, at: start)
            case .reject: session.receive(answer(.rejectToSpeak, "r"), from: desk, at: start)
            case .otherAccept: session.receive(answer(.acceptToSpeak, "q"), from: desk, at: start)
            case .otherMessage:
                var request = answer(.acceptToSpeak, "r")
                request.senderID = "other"
                session.receive(request, from: other, at: start)
            case .timeOut: session.advance(to: start + .seconds(60))
            case .roomLost: session.roomLost(at: start)
            }
        } catch let refusal {
            error = refusal
        }
        let said = outputs(&session)
        #expect(session.state == outcome.next ?? state)
        func sent(_ command: RoomCommand, _ id: String) -> SpeakSession.Output {
            .send(RoomRequest(command, requestID: id, senderID: "hall", receiverID: nil))
        }
        switch outcome {
        case .refuse(let expected): #expect(error == expected && said.isEmpty)
        case .apply: #expect(said == [sent(.applyToSpeak, "r"), .stateChanged(.applied, .applied)])
        case .withdraw(let reason): #expect(said == [sent(.cancelApplication, "r"), .stateChanged(.idle, reason)])
        case .speak: #expect(said == [.stateChanged(.speaking, .accepted)])
        case .stop(let reason): #expect(said == [.stateChanged(.idle, reason)])
        case .withdrawOther: #expect(said == [sent(.cancelApplication, input == .accept ? "r" : "q")])
        case .ignore, .nothing: #expect(said.isEmpty)
        }
        #expect(session.ignoredMessages == (outcome == .ignore || outcome == .withdrawOther ? 1 : 0))
        #expect((session.requestID == nil) == (session.state == .idle))
        #expect((session.nextDeadline == .distantFuture) == (session.state != .applied))
    }

    @Test func aHostLetsTheFirstApplicantSpeakAndEndsIt() throws {
        var host = SpeakDesk(ownID: "desk")
        var hall = SpeakSession(ownID: "hall")
        try hall.apply(requestID: "r", at: start)
        let audience = Participant(id: "hall", name: "", role: .audience)
        for case .send(let request) in outputs(&hall) { host.receive(request, from: audience) }
        #expect(outputs(&host) == [.applied("hall")])
        try host.accept("hall")
        for case .send(let request) in outputs(&host) { hall.receive(request, from: desk, at: start) }
        #expect(hall.state == .speaking && host.speaking.map(\.participant) == ["hall"])
        try host.reject("hall")
        for case .send(let request) in outputs(&host) { hall.receive(request, from: desk, at: start) }
        #expect(hall.state == .idle && host.speaking.isEmpty)
        #expect(outputs(&hall) == [.stateChanged(.speaking, .accepted), .stateChanged(.idle, .rejected)])
        #expect(throws: SpeakError.notApplied) { try host.accept("hall") }
    }

    @Test func anApplicationIsWithdrawnByItsSenderByAnotherHostAndByLeaving() {
        var host = SpeakDesk(ownID: "desk")
        for id in ["a", "b", "c"] {
            host.receive(
                RoomRequest(.applyToSpeak, requestID: "r\(id)", senderID: id, receiverID: nil),
                from: Participant(id: id, name: "", role: .audience))
        }
        #expect(host.pending.map(\.participant) == ["a", "b", "c"])
        _ = outputs(&host)
        host.receive(
            RoomRequest(.cancelApplication, requestID: "ra", senderID: "a", receiverID: nil),
            from: Participant(id: "a", name: "", role: .audience))
        host.receive(
            RoomRequest(.acceptToSpeak, requestID: "rb", senderID: "host", receiverID: "b"),
            from: Participant(id: "host", name: ""))
        // Not a host's to decide.
        host.receive(
            RoomRequest(.acceptToSpeak, requestID: "rc", senderID: "a", receiverID: "c"),
            from: Participant(id: "a", name: "", role: .audience))
        host.participantLeft("c")
        #expect(outputs(&host) == [.withdrawn("a"), .withdrawn("b"), .withdrawn("c")])
        #expect(host.ignoredMessages == 1)
    }

    @Test func applicationsAreOneForEachParticipantAndBounded() {
        var host = SpeakDesk(ownID: "desk")
        for number in 0..<100 {
            let id = "p\(number % 50)"
            host.receive(
                RoomRequest(.applyToSpeak, requestID: "r\(number)", senderID: id, receiverID: "desk"),
                from: Participant(id: id, name: "", role: .audience))
        }
        #expect(host.pending.count == 32 && host.pending[0].requestID == "r50")
        #expect(host.ignoredMessages == 36)
        host.roomLost()
        #expect(host.pending.isEmpty && outputs(&host).count == 64)
    }
}
