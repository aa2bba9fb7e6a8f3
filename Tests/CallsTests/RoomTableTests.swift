import MediaTypes
import Testing

@testable import Calls

/// The table once more, written as a person reads product.md: what is not named here is ignored.
private let expected: [RoomPhase: [(inputs: [RoomInput], outcome: RoomOutcome)]] = [
    .loggedOut: outside, .logoutFailed: outside,
    .loggingIn: trying(.loggingIn, .loggedIn, .loginFailedSoon, .loginFailedLate),
    .loginFailedTrying: trying(.loginFailedTrying, .loggedIn, .loginFailedSoon, .loginFailedLate),
    .reconnectingTrying: trying(.reconnectingTrying, .reconnected, .reconnectingWaiting, .reconnectFailedWaiting),
    .reconnectFailedTrying: trying(.reconnectFailedTrying, .reconnected, .reconnectingWaiting, .reconnectFailedWaiting),
    .kickedOutTrying: trying(.kickedOutTrying, .reconnected, .reconnectingWaiting, .reconnectFailedWaiting),
    .loginFailedSoon: waiting + [
        ([.timeCame, .retryNow, .networkChanged], .change(.loginFailedTrying, [.startAttempt]))
    ],
    .loginFailedLate: waiting + [([.timeCame, .retryNow], .change(.loginFailedTrying, [.startAttempt]))],
    .reconnectingWaiting: waiting + [
        ([.timeCame, .retryNow, .networkChanged], .change(.reconnectingTrying, [.startAttempt]))
    ],
    .reconnectFailedWaiting: waiting + [([.timeCame, .retryNow], .change(.reconnectFailedTrying, [.startAttempt]))],
    .kickedOutWaiting: waiting + [([.timeCame, .retryNow], .change(.kickedOutTrying, [.startAttempt]))],
    .loggedIn: inside(.loggedIn, .loggedInLeaving), .reconnected: inside(.reconnected, .reconnectedLeaving),
    .loggedInLeaving: leaving, .reconnectedLeaving: leaving,
]

private let outside: [(inputs: [RoomInput], outcome: RoomOutcome)] = [
    ([.join], .change(.loggingIn, [.startAttempt])), ([.leave], .refused(.notJoined)),
]

private let waiting: [(inputs: [RoomInput], outcome: RoomOutcome)] = [
    ([.join], .refused(.operationInProgress)), ([.leave], .change(.loggedOut, [])),
]

private let leaving: [(inputs: [RoomInput], outcome: RoomOutcome)] = [
    ([.join], .refused(.operationInProgress)), ([.leave], .refused(.alreadyInRequestedState)),
    ([.left] + RoomInput.Failure.allCases.map { .disconnected($0) }, .change(.loggedOut, [])),
    ([.leaveFailed], .change(.logoutFailed, [])),
]

private func trying(
    _ phase: RoomPhase, _ joined: RoomPhase, _ soon: RoomPhase, _ late: RoomPhase
) -> [(inputs: [RoomInput], outcome: RoomOutcome)] {
    [
        ([.join], .refused(.operationInProgress)), ([.leave], .change(.loggedOut, [.cancelAttempt])),
        ([.joined], .change(joined, [])), ([.joinFailed(.curable)], .change(soon, [.planRetry])),
        ([.joinFailed(.incurable)], .change(late, [.planRetry])),
        ([.joinFailed(.removed)], .change(.kickedOutWaiting, [.planRetry])),
        ([.disconnected(.curable)], .change(soon, [.cancelAttempt, .planRetry])),
        ([.disconnected(.incurable)], .change(late, [.cancelAttempt, .planRetry])),
        ([.disconnected(.removed)], .change(.kickedOutWaiting, [.cancelAttempt, .planRetry])),
        ([.networkChanged, .retryNow], .change(phase, [.cancelAttempt, .startAttempt])),
    ]
}

private func inside(_ phase: RoomPhase, _ leaving: RoomPhase) -> [(inputs: [RoomInput], outcome: RoomOutcome)] {
    [
        ([.join], .refused(.alreadyInRequestedState)), ([.leave], .change(leaving, [.startLeave])),
        ([.disconnected(.curable)], .change(.reconnectingWaiting, [.planRetry])),
        ([.disconnected(.incurable)], .change(.reconnectFailedWaiting, [.planRetry])),
        ([.disconnected(.removed)], .change(.kickedOutWaiting, [.planRetry])),
        ([.networkChanged], .change(phase, [.checkConnection])),
    ]
}

@Suite struct RoomTableTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func everyPhaseHasTheStatedOutcomeForEveryInput() {
        var cells = 0
        for phase in RoomPhase.allCases {
            for input in RoomInput.allCases {
                let stated = expected[phase]?.first { $0.inputs.contains(input) }?.outcome ?? .ignored
                #expect(RoomTable.outcome(of: input, in: phase) == stated, "\(input.text) in \(phase.text)")
                cells += 1
            }
        }
        #expect(cells == 16 * 14)
    }

    @Test func everyPhaseIsReachedByASessionAndBehavesThereAsTheTableSays() throws {
        for phase in RoomPhase.allCases {
            for input in RoomInput.allCases {
                var session = try session(in: phase)
                #expect(session.phase == phase)
                let before = session
                let now = start + .seconds(1000)
                let refusal = feed(input, to: &session, at: now)
                switch RoomTable.outcome(of: input, in: phase) {
                case .refused(let error):
                    #expect(refusal == error && session.phase == phase)
                    #expect(outputs(&session).isEmpty)
                case .ignored:
                    #expect(refusal == nil && session.phase == phase && session.attempt == before.attempt)
                    #expect(outputs(&session).isEmpty, "\(input.text) in \(phase.text)")
                case .change(let next, let effects):
                    #expect(refusal == nil && session.phase == next)
                    let all = outputs(&session)
                    #expect(
                        all.contains { if case .startJoin(before.attempt + 1) = $0 { true } else { false } }
                            == effects.contains(.startAttempt))
                    #expect(all.contains(.cancelJoin(attempt: before.attempt)) == effects.contains(.cancelAttempt))
                    #expect(all.contains(.startLeave) == effects.contains(.startLeave))
                    #expect(all.contains(.checkConnection) == effects.contains(.checkConnection))
                    #expect(
                        (session.nextDeadline > now && session.nextDeadline < now + .seconds(301))
                            == effects.contains(.planRetry))
                    #expect(
                        next.state == phase.state
                            || all.contains { if case .stateChanged(next.state, _) = $0 { true } else { false } })
                }
            }
        }
    }

    /// What states may follow each other, by product.md.
    private static let legal: [RoomState: Set<RoomState>] = [
        .loggedOut: [.loggingIn], .loggingIn: [.loggedIn, .loginFailed, .kickedOut, .loggedOut],
        .loggedIn: [.reconnecting, .reconnectFailed, .kickedOut, .loggedOut, .logoutFailed],
        .loginFailed: [.loggedIn, .kickedOut, .loggedOut],
        .reconnecting: [.reconnected, .reconnectFailed, .kickedOut, .loggedOut],
        .reconnected: [.reconnecting, .reconnectFailed, .kickedOut, .loggedOut, .logoutFailed],
        .reconnectFailed: [.reconnected, .reconnecting, .kickedOut, .loggedOut],
        .kickedOut: [.reconnected, .reconnecting, .reconnectFailed, .loggedOut], .logoutFailed: [.loggingIn],
    ]

    /// Four walks of 250,000 inputs, so that two cores share them.
    @Test(.timeLimit(.minutes(2)), arguments: 1...4) func aMillionRandomInputsNeverLeadAstray(walk: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("room session, walk \(walk): seed \(seed)")
        var random = SeededRandom(seed: seed)
        var session = RoomSession(seed: seed)
        var now = start
        var isWanted = false
        var running: Int?
        var reported = RoomState.loggedOut
        var wrong = 0
        var visited = Set<RoomPhase>()
        let inputs = RoomInput.allCases
        for _ in 0..<250_000 {
            now = now + .milliseconds(Int64(random.next() % 2_000))
            let input = inputs[Int(random.next() % UInt64(inputs.count))]
            switch input {
            case .joined, .joinFailed: if session.phase.activity == .trying { running = nil }
            default: break
            }
            let refusal = feed(input, to: &session, at: now)
            if input == .join && refusal == nil { isWanted = true }
            if input == .leave && refusal == nil { isWanted = false }
            while let output = session.pollOutput() {
                switch output {
                case .startJoin(let attempt):
                    if running != nil || !isWanted || attempt != session.attempt { wrong += 1 }
                    running = attempt
                case .cancelJoin(let attempt):
                    if running != attempt { wrong += 1 }
                    running = nil
                case .stateChanged(let state, _):
                    if state != reported && Self.legal[reported]?.contains(state) != true { wrong += 1 }
                    reported = state
                case .startLeave, .checkConnection:
                    if running != nil || !session.state.isJoined { wrong += 1 }
                }
            }
            visited.insert(session.phase)
            if reported != session.state { wrong += 1 }
            if (running != nil) != (session.phase.activity == .trying) { wrong += 1 }
            let isPlanned = session.nextDeadline != .distantFuture
            if isPlanned != (isWanted && !session.state.isJoined && running == nil) { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(visited.count == RoomPhase.allCases.count)
    }

    /// Brings a new session into a phase.
    private func session(in phase: RoomPhase) throws -> RoomSession {
        var session = RoomSession(seed: 3)
        let path: [RoomInput] =
            switch phase {
            case .loggedOut: []
            case .loggingIn: [.join]
            case .loginFailedSoon: [.join, .joinFailed(.curable)]
            case .loginFailedLate: [.join, .joinFailed(.incurable)]
            case .loginFailedTrying: [.join, .joinFailed(.curable), .retryNow]
            case .loggedIn: [.join, .joined]
            case .loggedInLeaving: [.join, .joined, .leave]
            case .reconnectingWaiting: [.join, .joined, .disconnected(.curable)]
            case .reconnectingTrying: [.join, .joined, .disconnected(.curable), .timeCame]
            case .reconnected: [.join, .joined, .disconnected(.curable), .timeCame, .joined]
            case .reconnectedLeaving: [.join, .joined, .disconnected(.curable), .timeCame, .joined, .leave]
            case .reconnectFailedWaiting: [.join, .joined, .disconnected(.incurable)]
            case .reconnectFailedTrying: [.join, .joined, .disconnected(.incurable), .timeCame]
            case .kickedOutWaiting: [.join, .joined, .disconnected(.removed)]
            case .kickedOutTrying: [.join, .joined, .disconnected(.removed), .timeCame]
            case .logoutFailed: [.join, .joined, .leave, .leaveFailed]
            }
        for input in path { #expect(feed(input, to: &session, at: start) == nil) }
        _ = outputs(&session)
        return session
    }

    private func outputs(_ session: inout RoomSession) -> [RoomSession.Output] {
        var all: [RoomSession.Output] = []
        while let output = session.pollOutput() { all.append(output) }
        return all
    }

    private func reason(_ failure: RoomInput.Failure) -> RoomReason {
        switch failure {
        case .curable: RoomReason(.transient, "lost")
        case .incurable: RoomReason(.incurable, "refused")
        case .removed: RoomReason(.kicked, "kicked")
        }
    }

    /// - Returns: the error of a refused request.
    private func feed(_ input: RoomInput, to session: inout RoomSession, at now: MonotonicTime) -> RoomSessionError? {
        do throws(RoomSessionError) {
            switch input {
            case .join: try session.join(at: now)
            case .leave: try session.leave(at: now)
            case .joined: session.joined(attempt: session.attempt, at: now)
            case .joinFailed(let failure): session.joinFailed(attempt: session.attempt, reason(failure), at: now)
            case .disconnected(let failure): session.disconnected(reason(failure), at: now)
            case .left: session.left(at: now)
            case .leaveFailed: session.leaveFailed(RoomReason(.transient, "no answer"), at: now)
            case .networkChanged: session.networkChanged(at: now)
            case .retryNow: session.retryNow(at: now)
            case .timeCame: session.advance(to: max(now, session.phase.isWaiting ? session.nextDeadline : now))
            }
            return nil
        } catch {
            return error
        }
    }
}
