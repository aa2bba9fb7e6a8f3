import MediaTypes
import Testing

@testable import Calls

@Suite struct StreamSessionTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private let lost = RoomReason(.transient, "connection lost")
    private let taken = RoomReason(.incurable, "a stream with this id is published already")

    private func outputs(_ session: inout PublisherSession) -> [PublisherSession.Output] {
        var all: [PublisherSession.Output] = []
        while let output = session.pollOutput() { all.append(output) }
        return all
    }

    private func outputs(_ session: inout PlayerSession) -> [PlayerSession.Output] {
        var all: [PlayerSession.Output] = []
        while let output = session.pollOutput() { all.append(output) }
        return all
    }

    @Test func aWantedStreamIsPublishedWhenTheRoomIsJoinedAndAgainAfterALoss() {
        var session = PublisherSession(seed: 1)
        session.want(at: start)
        #expect(outputs(&session) == [.stateChanged(.requesting, nil)])
        session.roomJoined(at: start)
        #expect(outputs(&session) == [.publish(request: 1)])
        session.accepted(request: 1, at: start)
        #expect(outputs(&session) == [.stateChanged(.publishing, nil)])
        session.roomLost(lost, at: start)
        #expect(outputs(&session) == [.stateChanged(.requesting, lost)])
        session.roomJoined(at: start)
        session.accepted(request: 1, at: start)
        #expect(outputs(&session) == [.publish(request: 2)])
        session.accepted(request: 2, at: start)
        #expect(outputs(&session) == [.stateChanged(.publishing, nil)])
        #expect(session.reason == nil)
        session.unwant(at: start)
        #expect(outputs(&session) == [.stateChanged(.idle, nil), .unpublish])
    }

    @Test func aRefusedStreamIsAskedForAgainAndBecomesPublished() {
        var session = PublisherSession(seed: 1)
        session.roomJoined(at: start)
        session.want(at: start)
        _ = outputs(&session)
        session.refused(request: 1, taken, at: start)
        #expect(outputs(&session) == [.stateChanged(.requesting, taken)])
        #expect(session.nextDeadline == start + .seconds(300))
        session.advance(to: start + .seconds(299))
        #expect(outputs(&session).isEmpty)
        session.retryNow(at: start + .seconds(299))
        #expect(outputs(&session) == [.publish(request: 2)])
        session.refused(request: 2, taken, at: start + .seconds(299))
        #expect(outputs(&session).isEmpty)
        session.advance(to: session.nextDeadline)
        session.accepted(request: 3, at: start + .seconds(600))
        #expect(outputs(&session) == [.publish(request: 3), .stateChanged(.publishing, nil)])
    }

    @Test func aPlayerFollowsItsMediaAndSaysWhyItStopped() {
        var session = PlayerSession()
        session.want()
        session.mediaArrives()
        #expect(outputs(&session) == [.stateChanged(.requesting, nil), .stateChanged(.playing, nil)])
        session.mediaStopped(lost)
        session.mediaStopped(lost)
        #expect(outputs(&session) == [.stateChanged(.requesting, lost)])
        session.mediaArrives()
        #expect(outputs(&session) == [.stateChanged(.playing, nil)])
        // Not wanted for a while: what arrives is played at once when it is again.
        session.unwant()
        session.want()
        #expect(outputs(&session) == [.stateChanged(.idle, nil), .stateChanged(.playing, nil)])
    }

    @Test func everyPublisherPhaseHasAnOutcomeForEveryInputThatKeepsItsPromises() {
        for phase in PublisherPhase.allCases {
            for input in PublisherInput.allCases {
                guard case .change(let next, let effects) = PublisherTable.outcome(of: input, in: phase) else {
                    continue
                }
                // A request runs exactly in the asking phase, a retry is planned exactly in the waiting one.
                #expect((next == .requestingAsking && phase != .requestingAsking) == effects.contains(.ask))
                #expect((next == .requestingWaiting && phase != .requestingWaiting) == effects.contains(.planRetry))
                // What is no longer wanted is withdrawn if it was asked for, and only then.
                let wasAsked = phase == .requestingAsking || phase == .publishing
                #expect((wasAsked && next == .idleInside) == effects.contains(.withdraw))
                // Nothing but the two requests changes whether it is wanted.
                if input != .want && input != .unwant { #expect((next.state == .idle) == (phase.state == .idle)) }
                #expect(next.state != .publishing || input == .accepted)
            }
        }
    }

    @Test func randomInputsNeverLeadAPublisherOrPlayerAstray() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("stream sessions: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var publisher = PublisherSession(seed: seed)
        var player = PlayerSession()
        var now = start
        var isWanted = false
        var isInside = false
        var arrives = false
        var wrong = 0
        for _ in 0..<200_000 {
            now = now + .milliseconds(Int64(random.next() % 2_000))
            switch random.next() % 12 {
            case 0:
                publisher.want(at: now)
                player.want()
                isWanted = true
            case 1:
                publisher.unwant(at: now)
                player.unwant()
                isWanted = false
            case 2:
                publisher.roomJoined(at: now)
                isInside = true
            case 3:
                publisher.roomLost(lost, at: now)
                isInside = false
            case 4, 5: publisher.accepted(request: publisher.request, at: now)
            case 6: publisher.refused(request: publisher.request, taken, at: now)
            case 7: publisher.broken(lost, at: now)
            case 8: publisher.retryNow(at: now)
            case 9:
                player.mediaArrives()
                arrives = true
            case 10:
                player.mediaStopped(lost)
                arrives = false
            default:
                publisher.advance(to: max(now, publisher.nextDeadline == .distantFuture ? now : publisher.nextDeadline))
            }
            while publisher.pollOutput() != nil {}
            while player.pollOutput() != nil {}
            if (publisher.state == .idle) == isWanted { wrong += 1 }
            let isOutside = publisher.phase == .idleOutside || publisher.phase == .requestingOutside
            if isOutside == isInside { wrong += 1 }
            if (publisher.nextDeadline != .distantFuture) != (publisher.phase == .requestingWaiting) { wrong += 1 }
            let state: PlayerState = isWanted ? arrives ? .playing : .requesting : .idle
            if player.state != state { wrong += 1 }
        }
        #expect(wrong == 0)
    }
}
