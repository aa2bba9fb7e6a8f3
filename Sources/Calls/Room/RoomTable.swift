/// The room session's rules: each phase × each input has a stated outcome. ARCHITECTURE.md shows it.
///
/// ```
///            join                joined
/// loggedOut ──────▶ loggingIn ──────────▶ loggedIn ──disconnected──▶ reconnecting ──joined──▶ reconnected
///     ▲                │ failed               │ kicked                    │ incurable            (as loggedIn)
///     │ left           ▼                      ▼                           ▼
///     └─── leave ── loginFailed ⟲ retry   kickedOut ⟲ slow retry    reconnectFailed ⟲ slow retry
/// ```
package enum RoomTable {
    /// The compiler proves that no phase is forgotten, and `outcome` of each group that no input is.
    package static func outcome(of input: RoomInput, in phase: RoomPhase) -> RoomOutcome {
        switch phase {
        case .loggedOut, .logoutFailed: outside(input)
        case .loggingIn: trying(input, phase, .loggedIn, soon: .loginFailedSoon, late: .loginFailedLate)
        case .loginFailedTrying: trying(input, phase, .loggedIn, soon: .loginFailedSoon, late: .loginFailedLate)
        case .reconnectingTrying, .reconnectFailedTrying, .kickedOutTrying:
            trying(input, phase, .reconnected, soon: .reconnectingWaiting, late: .reconnectFailedWaiting)
        case .loginFailedSoon: waiting(input, .loginFailedTrying, followsNetwork: true)
        case .loginFailedLate: waiting(input, .loginFailedTrying, followsNetwork: false)
        case .reconnectingWaiting: waiting(input, .reconnectingTrying, followsNetwork: true)
        case .reconnectFailedWaiting: waiting(input, .reconnectFailedTrying, followsNetwork: false)
        case .kickedOutWaiting: waiting(input, .kickedOutTrying, followsNetwork: false)
        case .loggedIn: inside(input, phase, leaving: .loggedInLeaving)
        case .reconnected: inside(input, phase, leaving: .reconnectedLeaving)
        case .loggedInLeaving, .reconnectedLeaving: leaving(input)
        }
    }

    /// Not joined, and not wanted.
    private static func outside(_ input: RoomInput) -> RoomOutcome {
        switch input {
        case .join: .change(.loggingIn, [.startAttempt])
        case .leave: .refused(.notJoined)
        case .joined, .joinFailed, .disconnected, .left, .leaveFailed, .networkChanged, .retryNow, .timeCame: .ignored
        }
    }

    /// An attempt is under way.
    private static func trying(
        _ input: RoomInput, _ phase: RoomPhase, _ joined: RoomPhase, soon: RoomPhase, late: RoomPhase
    ) -> RoomOutcome {
        switch input {
        case .join: .refused(.operationInProgress)
        case .leave: .change(.loggedOut, [.cancelAttempt])
        case .joined: .change(joined, [])
        case .joinFailed(.curable): .change(soon, [.planRetry])
        case .joinFailed(.incurable): .change(late, [.planRetry])
        case .joinFailed(.removed): .change(.kickedOutWaiting, [.planRetry])
        // The room was joined and lost before the answer to the join came through.
        case .disconnected(.curable): .change(soon, [.cancelAttempt, .planRetry])
        case .disconnected(.incurable): .change(late, [.cancelAttempt, .planRetry])
        case .disconnected(.removed): .change(.kickedOutWaiting, [.cancelAttempt, .planRetry])
        // The attempt may hang in a network that is no more.
        case .networkChanged, .retryNow: .change(phase, [.cancelAttempt, .startAttempt])
        case .left, .leaveFailed, .timeCame: .ignored
        }
    }

    /// The next attempt is planned.
    private static func waiting(_ input: RoomInput, _ trying: RoomPhase, followsNetwork: Bool) -> RoomOutcome {
        switch input {
        case .join: .refused(.operationInProgress)
        case .leave: .change(.loggedOut, [])
        case .timeCame, .retryNow: .change(trying, [.startAttempt])
        // Another network does not cure a refusal.
        case .networkChanged: followsNetwork ? .change(trying, [.startAttempt]) : .ignored
        case .joined, .joinFailed, .disconnected, .left, .leaveFailed: .ignored
        }
    }

    /// Joined.
    private static func inside(_ input: RoomInput, _ phase: RoomPhase, leaving: RoomPhase) -> RoomOutcome {
        switch input {
        case .join: .refused(.alreadyInRequestedState)
        case .leave: .change(leaving, [.startLeave])
        case .disconnected(.curable): .change(.reconnectingWaiting, [.planRetry])
        case .disconnected(.incurable): .change(.reconnectFailedWaiting, [.planRetry])
        case .disconnected(.removed): .change(.kickedOutWaiting, [.planRetry])
        case .networkChanged: .change(phase, [.checkConnection])
        case .joined, .joinFailed, .left, .leaveFailed, .retryNow, .timeCame: .ignored
        }
    }

    /// On the way out.
    private static func leaving(_ input: RoomInput) -> RoomOutcome {
        switch input {
        case .join: .refused(.operationInProgress)
        case .leave: .refused(.alreadyInRequestedState)
        case .left, .disconnected: .change(.loggedOut, [])
        case .leaveFailed: .change(.logoutFailed, [])
        case .joined, .joinFailed, .networkChanged, .retryNow, .timeCame: .ignored
        }
    }
}
