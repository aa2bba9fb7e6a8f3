import MediaTypes
import Testing

@testable import Calls

/// Sessions in each phase, and what they do about one input, through the public functions only.
private struct Bench {
    static let start = MonotonicTime(nanoseconds: 1_000_000_000)
    /// The other side is smaller than one own id and larger than the other.
    static let other = "m"
    var session: CallSession
    var now = Bench.start

    init(_ phase: CallPhase, ownID: String = "z", autoAnswer: Set<ParticipantID> = []) throws {
        session = CallSession(ownID: ownID, settings: CallSettings(autoAnswer: autoAnswer))
        session.roomJoined(participants: [Bench.other, "c"], at: now)
        switch phase {
        case .idle: break
        case .calling: try session.call([Bench.other], callID: "x", at: now)
        case .ringing: receive(.invite)
        case .inCallAsCaller:
            try session.call([Bench.other], callID: "x", at: now)
            receive(.accept)
        case .inCallAsCallee:
            receive(.invite)
            try session.answer(at: now)
        }
        _ = outputs()
    }

    mutating func receive(_ event: CallMessage.Event, callID: String = "x", from sender: String = Bench.other) {
        session.receive(CallMessage(event, callID: callID), from: sender, at: now)
    }

    mutating func outputs() -> [CallSession.Output] {
        var all: [CallSession.Output] = []
        while let output = session.pollOutput() { all.append(output) }
        return all
    }

    /// - Returns: the error with which a command was refused.
    mutating func apply(_ input: CallInput) -> CallError? {
        do throws(CallError) {
            switch input {
            case .call: try session.call([Bench.other], callID: "x", at: now)
            case .answer: try session.answer(at: now)
            case .decline: try session.decline(at: now)
            case .hangUp: try session.hangUp(at: now)
            case .leaveRoom: session.leaveRoom(at: now)
            case .invite: receive(.invite, callID: "y", from: "c")
            case .listedInvite: receive(.invite, callID: "y", from: "c")
            case .winningInvite, .losingInvite: receive(.invite, callID: "y")
            case .repeatedInvite: receive(.invite)
            case .ringingMessage: receive(.ringing)
            case .acceptMessage: receive(.accept)
            case .declineMessage: receive(.decline)
            case .busyMessage: receive(.busy)
            case .cancelMessage: receive(.cancel)
            case .hangUpMessage: receive(.hangUp)
            case .resumeMessage: receive(.resume)
            case .endedMessage: receive(.ended)
            case .otherJoined: session.participantJoined(Bench.other, at: now)
            case .otherLost: session.participantLeft(Bench.other, isLost: true, at: now)
            case .otherGone: session.participantLeft(Bench.other, isLost: false, at: now)
            case .roomLost: session.roomLost(at: now)
            // Those who are there are inputs of their own.
            case .roomJoined: session.roomJoined(participants: [], at: now)
            case .mediaFlows: session.mediaChanged(with: Bench.other, isFlowing: true, at: now)
            case .mediaStopped: session.mediaChanged(with: Bench.other, isFlowing: false, at: now)
            case .ringTimeOut:
                now = now + .seconds(35)
                session.advance(to: now)
            case .lostTimeOut:
                session.participantLeft(Bench.other, isLost: true, at: now)
                now = now + .seconds(10)
                session.advance(to: now)
            }
        } catch {
            return error
        }
        return nil
    }
}

/// What the table promises, in terms of what can be seen from outside.
private func expectedMessages(_ outcome: CallOutcome, _ phase: CallPhase) -> [CallMessage.Event] {
    switch outcome {
    case .inviteTargets: [.invite]
    case .ring, .repeatRinging: [.ringing]
    case .answerAtOnce, .takeTheirCall, .acceptCall, .repeatAccept: [.accept]
    case .refuseBusy: [.busy]
    case .greet: [phase == .calling ? .invite : phase == .ringing ? .ringing : .resume]
    case .dropTarget, .settleAndAnswer: [.ended]
    case .cancelTargets, .timeOutTargets: [.cancel]
    case .hangUpAndSettle, .hangUpAndClose: [.hangUp]
    case .declineAndClose, .timeOutAndClose: [.decline]
    case .endForGood: [phase == .calling ? .cancel : phase == .ringing ? .decline : .hangUp]
    case .refuse, .ignore, .nothing, .keepOwnCall, .noteRinging, .connect, .dropEndedTarget, .dropAbsentTarget, .settle,
        .endLost, .watch:
        []
    }
}

private func expectedReason(_ outcome: CallOutcome, _ input: CallInput, _ phase: CallPhase) -> CallEndReason? {
    switch outcome {
    case .dropTarget, .dropEndedTarget, .settle, .settleAndAnswer:
        switch input {
        case .declineMessage: .declined
        case .busyMessage: .busy
        case .cancelMessage: .cancelled
        case .hangUpMessage: .hungUp
        default: .lost
        }
    case .dropAbsentTarget, .endLost: .lost
    case .cancelTargets: .cancelled
    case .timeOutTargets: .timedOut
    case .hangUpAndSettle: .hungUp
    case .endForGood: phase == .calling ? .cancelled : phase == .ringing ? .declined : .hungUp
    default: nil
    }
}

@Suite struct CallTableTests {
    @Test(arguments: CallPhase.allCases, CallInput.allCases)
    func theSessionDoesWhatTheTableSays(phase: CallPhase, input: CallInput) throws {
        let ownID = input == .losingInvite ? "a" : "z"
        var bench = try Bench(phase, ownID: ownID, autoAnswer: input == .listedInvite ? ["c"] : [])
        try #require(bench.session.phase == phase)
        let outcome = CallTable.outcome(of: input, in: phase)
        let ignored = bench.session.ignoredMessages
        var error: CallError?
        if phase == .idle && input.isMessage {
            // Never comes that way: without a call the second table holds.
            bench.session.take(input, from: Bench.other, CallMessage(.resume, callID: "x"), at: bench.now)
        } else {
            error = bench.apply(input)
        }
        let outputs = bench.outputs()

        if case .refuse(let expected) = outcome { #expect(error == expected) } else { #expect(error == nil) }
        // There is only one target here: the last one.
        let isDrop = [.dropTarget, .dropEndedTarget, .dropAbsentTarget].contains(outcome)
        let next = isDrop ? CallPhase.idle : outcome.next ?? phase
        #expect(bench.session.phase == next, "\(outcome): \(outputs)")
        var messages: [CallMessage.Event] = []
        var reasons: [CallEndReason] = []
        var states: [CallState] = []
        for output in outputs {
            switch output {
            case .send(let message, let receiver):
                messages.append(message.event)
                #expect(
                    receiver
                        == (outcome == .refuseBusy && input != .winningInvite && input != .losingInvite
                            ? "c" : Bench.other) || phase == .idle)
            case .ended(_, _, let reason, let wasIncoming):
                reasons.append(reason)
                #expect(wasIncoming == (phase == .ringing || phase == .inCallAsCallee))
            case .stateChanged(let state, let partner):
                states.append(state)
                #expect((partner == nil) == (state == .idle || state == .calling))
            }
        }
        #expect(messages == expectedMessages(outcome, phase), "\(outcome)")
        #expect(reasons == (expectedReason(outcome, input, phase).map { [$0] } ?? []), "\(outcome)")
        #expect(states == (next.state == phase.state ? [] : [next.state]), "\(outcome)")
        #expect(
            bench.session.ignoredMessages - ignored == (outcome == .ignore || phase == .idle && input.isMessage ? 1 : 0)
        )
        #expect((bench.session.callID == nil) == (next == .idle))
    }

    @Test(arguments: CallRecord.allCases, CallMessage.Event.allCases)
    func aMessageAboutACallThatIsNotOnDoesWhatTheTableSays(record: CallRecord, event: CallMessage.Event) throws {
        var bench = try Bench(.idle)
        if record == .foreign {
            bench.receive(.invite, from: "c")
            try bench.session.hangUp(at: bench.now)
        } else if record != .unknown {
            bench.receive(.invite)
            try bench.session.decline(at: bench.now)
            if record == .ended { bench.receive(.cancel) }
        }
        _ = bench.outputs()
        let ignored = bench.session.ignoredMessages
        bench.receive(event)
        let outputs = bench.outputs()
        let known: CallEndReason = record == .ended ? .cancelled : .lost
        switch record.outcome(of: event) {
        case .newCall: #expect(bench.session.phase == .ringing)
        case .settle:
            let reason = event.usualReason ?? .lost
            #expect(outputs == [.ended(callID: "x", with: Bench.other, reason, wasIncoming: true)])
        case .repeatEnd:
            #expect(outputs == [.send(CallMessage(.decline, callID: "x", reason: .declined), to: Bench.other)])
        case .answerEnded:
            #expect(outputs == [.send(CallMessage(.ended, callID: "x", reason: known), to: Bench.other)])
            #expect(bench.session.ignoredMessages == ignored + 1)
        case .ignore:
            #expect(outputs.isEmpty)
            #expect(bench.session.ignoredMessages == ignored + 1)
        }
        #expect(bench.session.phase == (record.outcome(of: event) == .newCall ? .ringing : .idle))
    }

    @Test func everyOutcomeHasWords() {
        for phase in CallPhase.allCases {
            for input in CallInput.allCases {
                let outcome = CallTable.outcome(of: input, in: phase)
                #expect(!outcome.nextText.isEmpty && !input.text.isEmpty && !phase.text.isEmpty)
            }
        }
    }
}

extension CallInput {
    /// A message of the call that is on.
    fileprivate var isMessage: Bool {
        switch self {
        case .repeatedInvite, .ringingMessage, .acceptMessage, .declineMessage, .busyMessage, .cancelMessage,
            .hangUpMessage, .resumeMessage, .endedMessage:
            true
        default: false
        }
    }
}
