import MediaTypes
import Testing

@testable import Calls

@Suite struct RoomSessionTests {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    let lost = RoomReason(.transient, "connection lost")
    let refused = RoomReason(.incurable, "token refused")

    func outputs(_ session: inout RoomSession) -> [RoomSession.Output] {
        var all: [RoomSession.Output] = []
        while let output = session.pollOutput() { all.append(output) }
        return all
    }

    func joinedSession() throws -> RoomSession {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        session.joined(attempt: 1, at: start)
        _ = outputs(&session)
        return session
    }

    @Test func joinReportsLoggingInAndThenLoggedIn() throws {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        #expect(outputs(&session) == [.stateChanged(.loggingIn, .requested), .startJoin(attempt: 1)])
        session.joined(attempt: 1, at: start)
        #expect(outputs(&session) == [.stateChanged(.loggedIn, .requested)])
    }

    @Test func joinWhileJoiningIsAnOperationInProgressAndWhileJoinedTheRequestedState() throws {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        #expect(throws: RoomSessionError.operationInProgress) { try session.join(at: start) }
        session.joined(attempt: 1, at: start)
        #expect(throws: RoomSessionError.alreadyInRequestedState) { try session.join(at: start) }
    }

    @Test func leaveBeforeJoinIsNotJoinedAndTwiceTheRequestedState() throws {
        var session = RoomSession(seed: 1)
        #expect(throws: RoomSessionError.notJoined) { try session.leave(at: start) }
        session = try joinedSession()
        try session.leave(at: start)
        #expect(throws: RoomSessionError.alreadyInRequestedState) { try session.leave(at: start) }
        session.left(at: start)
        #expect(outputs(&session) == [.startLeave, .stateChanged(.loggedOut, .requested)])
    }

    @Test func leaveDuringJoinCancelsItAndALateAnswerIsIgnored() throws {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        _ = outputs(&session)
        try session.leave(at: start)
        #expect(outputs(&session) == [.cancelJoin(attempt: 1), .stateChanged(.loggedOut, .requested)])
        session.joined(attempt: 1, at: start)
        session.joinFailed(attempt: 1, lost, at: start)
        #expect(session.state == .loggedOut)
        #expect(outputs(&session).isEmpty)
    }

    @Test func aFailedJoinIsReportedOnceAndRetried() throws {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        _ = outputs(&session)
        var now = start
        session.joinFailed(attempt: 1, lost, at: now)
        #expect(outputs(&session) == [.stateChanged(.loginFailed, lost)])
        for attempt in 2...9 {
            now = session.nextDeadline
            session.advance(to: now)
            session.joinFailed(attempt: attempt, lost, at: now)
            #expect(outputs(&session) == [.startJoin(attempt: attempt)])
        }
        session.advance(to: session.nextDeadline)
        session.joined(attempt: 10, at: now)
        #expect(session.state == .loggedIn)
    }

    @Test func aLostRoomIsReconnectedAndTheStatesSaySo() throws {
        var session = try joinedSession()
        session.disconnected(lost, at: start)
        #expect(outputs(&session) == [.stateChanged(.reconnecting, lost)])
        session.advance(to: session.nextDeadline)
        session.joined(attempt: 2, at: start)
        #expect(outputs(&session) == [.startJoin(attempt: 2), .stateChanged(.reconnected, .requested)])
    }

    @Test func kickedOutIsRetriedAfterFiveMinutesOnly() throws {
        var session = try joinedSession()
        session.disconnected(RoomReason(.kicked, "removed by the operator"), at: start)
        #expect(session.state == .kickedOut)
        #expect(session.nextDeadline == start + .seconds(300))
    }

    @Test func anIncurableReasonIsRetriedSlowlyAndAtOnceWhenAsked() throws {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        session.joinFailed(attempt: 1, refused, at: start)
        #expect(session.nextDeadline == start + .seconds(300))
        _ = outputs(&session)
        // Another network cures nothing.
        session.networkChanged(at: start + .seconds(1))
        #expect(outputs(&session).isEmpty)
        session.retryNow(at: start + .seconds(1))
        #expect(outputs(&session) == [.startJoin(attempt: 2)])
    }

    @Test func aChangeOfTheNetworkChecksRetriesAndRestarts() throws {
        var session = try joinedSession()
        session.networkChanged(at: start)
        #expect(outputs(&session) == [.checkConnection])
        session.disconnected(lost, at: start)
        _ = outputs(&session)
        session.networkChanged(at: start)
        #expect(outputs(&session) == [.startJoin(attempt: 2)])
        // The attempt hangs in a network that is no more.
        session.networkChanged(at: start + .seconds(3))
        #expect(outputs(&session) == [.cancelJoin(attempt: 2), .startJoin(attempt: 3)])
        session.joinFailed(attempt: 2, lost, at: start + .seconds(3))
        session.joined(attempt: 3, at: start + .seconds(3))
        #expect(outputs(&session) == [.stateChanged(.reconnected, .requested)])
    }

    @Test func afterAWeekWithoutNetworkTheFirstRetriesAreQuickAgain() throws {
        var session = try joinedSession()
        session.disconnected(lost, at: start)
        var now = start
        while now - start < .seconds(3600) {
            now = session.nextDeadline
            session.advance(to: now)
            session.joinFailed(attempt: session.attempt, lost, at: now)
        }
        session.networkChanged(at: now)
        session.joinFailed(attempt: session.attempt, lost, at: now)
        #expect(session.nextDeadline <= now + .seconds(1))
    }

    @Test func twoDevicesWithOneIDDoNotTakeTurns() throws {
        let elsewhere = RoomReason(.joinedElsewhere, "another device joined with this participant's id")
        var session = try joinedSession()
        #expect(session.mayReplace)
        session.disconnected(elsewhere, at: start)
        #expect(outputs(&session) == [.stateChanged(.kickedOut, elsewhere)])
        var now = start
        for _ in 0..<20 {
            #expect(!session.mayReplace)
            let wait = session.nextDeadline - now
            #expect(wait >= .seconds(60) && wait <= .seconds(120))
            session.networkChanged(at: now + .seconds(1))
            now = session.nextDeadline
            session.advance(to: now)
            session.joinFailed(attempt: session.attempt, elsewhere, at: now)
            #expect(outputs(&session) == [.startJoin(attempt: session.attempt)])
        }
        session.advance(to: session.nextDeadline)
        session.joined(attempt: session.attempt, at: now)
        #expect(session.mayReplace && session.state == .reconnected)
    }

    @Test func aRoomLostBeforeTheAnswerToTheJoinIsRetried() throws {
        var session = RoomSession(seed: 1)
        try session.join(at: start)
        _ = outputs(&session)
        session.disconnected(lost, at: start)
        session.joined(attempt: 1, at: start)
        #expect(outputs(&session) == [.cancelJoin(attempt: 1), .stateChanged(.loginFailed, lost)])
        #expect(session.nextDeadline <= start + .seconds(1))
    }

    @Test func reasonsThatAlternateAreToldOnceAndTheLastOneIsKnown() throws {
        var session = try joinedSession()
        let clock = RoomReason(.clockNotSet, "the clock is not set")
        session.disconnected(lost, at: start)
        var told: [RoomSession.Output] = []
        for index in 0..<20 {
            session.advance(to: session.nextDeadline)
            session.joinFailed(attempt: session.attempt, index.isMultiple(of: 2) ? clock : lost, at: start)
            told += outputs(&session)
        }
        #expect(session.reason == lost)
        #expect(
            told.filter { if case .stateChanged = $0 { true } else { false } } == [
                .stateChanged(.reconnecting, lost), .stateChanged(.reconnecting, clock),
            ])
    }

    @Test(arguments: [UInt64(1), 2, 3, 4]) func retriesAreQuickFor15SecondsAndThenBackOffTo30(seed: UInt64) {
        print("seed \(seed)")
        var policy = RetryPolicy(seed: seed)
        var now = start
        var late: [Int64] = []
        while now - start < .seconds(600) {
            let delay = policy.delay(after: lost, at: now)
            #expect(delay >= .milliseconds(250))
            if now - start < .seconds(15) {
                #expect(delay <= .seconds(1))
            } else {
                #expect(delay <= .seconds(30))
                late.append(delay.milliseconds)
            }
            now = now + delay
        }
        #expect((late.max() ?? 0) > 10_000, "full jitter reaches long delays: \(late)")
    }

    @Test func healthOfAMinuteStartsTheQuickPhaseAgain() {
        var policy = RetryPolicy(seed: 9)
        var now = start
        for _ in 0..<60 { now = now + policy.delay(after: lost, at: now) }
        policy.succeeded(at: now)
        let delay = policy.delay(after: lost, at: now + .seconds(61))
        #expect(delay <= .seconds(1))
    }
}
