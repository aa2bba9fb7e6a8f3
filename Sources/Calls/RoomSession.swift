import MediaTypes

/// Decides when this endpoint joins, retries and leaves its room. Pure: the caller acts on `pollOutput()`.
///
/// ```
///            join                joined
/// loggedOut ──────▶ loggingIn ──────────▶ loggedIn ──disconnected──▶ reconnecting ──joined──▶ reconnected
///     ▲                │ failed               │ kicked                    │ incurable            (as loggedIn)
///     │ left           ▼                      ▼                           ▼
///     └─── leave ── loginFailed ⟲ retry   kickedOut ⟲ slow retry    reconnectFailed ⟲ slow retry
/// ```
/// Every attempt has a number; an answer to an earlier attempt is ignored.
package struct RoomSession: Sendable {
    package enum Output: Sendable, Equatable {
        case startJoin(attempt: Int)
        /// The attempt is no longer wanted: drop its connection; no answer is expected.
        case cancelJoin(attempt: Int)
        case startLeave
        case stateChanged(RoomState, RoomReason)
    }

    package private(set) var state = RoomState.loggedOut
    /// The number of the running or last attempt.
    package private(set) var attempt = 0
    /// Whether the next attempt may take the place of a participant with the same id; not after it was itself replaced,
    /// lest two devices with one id take turns for ever.
    package private(set) var mayReplace = true
    private var isAttemptRunning = false
    private var isLeaving = false
    private var retryTime: MonotonicTime?
    private var lastReason: RoomReason?
    private var policy: RetryPolicy
    private var outputs: [Output] = []

    package init(seed: UInt64) {
        policy = RetryPolicy(seed: seed)
    }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime { retryTime ?? .distantFuture }

    /// Asks for the room. It stays wanted, and is retried, until `leave(at:)`.
    package mutating func join(at now: MonotonicTime) throws(RoomSessionError) {
        if state.isJoined && !isLeaving { throw .alreadyInRequestedState }
        if state != .loggedOut && state != .logoutFailed || isLeaving { throw .operationInProgress }
        mayReplace = true
        change(to: .loggingIn, .requested)
        startAttempt()
    }

    /// Gives the room up; cancels a join that is under way.
    package mutating func leave(at now: MonotonicTime) throws(RoomSessionError) {
        if state == .loggedOut || state == .logoutFailed { throw .notJoined }
        if isLeaving { throw .alreadyInRequestedState }
        retryTime = nil
        if state.isJoined {
            isLeaving = true
            outputs.append(.startLeave)
            return
        }
        if isAttemptRunning {
            isAttemptRunning = false
            outputs.append(.cancelJoin(attempt: attempt))
        }
        change(to: .loggedOut, .requested)
    }

    /// The room service answered that the room is joined.
    package mutating func joined(attempt number: Int, at now: MonotonicTime) {
        guard number == attempt, isAttemptRunning else { return }
        isAttemptRunning = false
        mayReplace = true
        policy.succeeded(at: now)
        change(to: state == .loggingIn || state == .loginFailed ? .loggedIn : .reconnected, .requested)
    }

    /// The attempt failed; the next one is planned.
    package mutating func joinFailed(attempt number: Int, _ reason: RoomReason, at now: MonotonicTime) {
        guard number == attempt, isAttemptRunning else { return }
        isAttemptRunning = false
        retryTime = now + policy.delay(after: reason, at: now)
        switch state {
        case .loggingIn, .loginFailed:
            change(to: .loginFailed, reason)
        case .reconnecting where reason.kind.isCurable:
            break
        default:
            change(to: reason.kind.isCurable ? .reconnecting : .reconnectFailed, reason)
        }
    }

    /// The joined room is lost.
    package mutating func disconnected(_ reason: RoomReason, at now: MonotonicTime) {
        if isLeaving { return left(at: now) }
        guard state.isJoined else { return }
        retryTime = now + policy.delay(after: reason, at: now)
        mayReplace = reason.kind != .joinedElsewhere
        let isRemoved = reason.kind == .kicked || reason.kind == .joinedElsewhere
        change(to: isRemoved ? .kickedOut : .reconnecting, reason)
    }

    /// Leaving is done.
    package mutating func left(at now: MonotonicTime) {
        guard isLeaving else { return }
        isLeaving = false
        change(to: .loggedOut, .requested)
    }

    /// The room service did not confirm the leave in time; the connection is dropped all the same.
    package mutating func leaveFailed(_ reason: RoomReason, at now: MonotonicTime) {
        guard isLeaving else { return }
        isLeaving = false
        change(to: .logoutFailed, reason)
    }

    /// The network came up or the configuration changed: a planned attempt need not wait.
    package mutating func retryNow(at now: MonotonicTime) {
        if retryTime != nil { retryTime = now }
    }

    package mutating func advance(to now: MonotonicTime) {
        guard let time = retryTime, time <= now else { return }
        retryTime = nil
        startAttempt()
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private mutating func startAttempt() {
        attempt += 1
        isAttemptRunning = true
        outputs.append(.startJoin(attempt: attempt))
    }

    /// Reports a change once: a retry that fails for the same reason is not news.
    private mutating func change(to newState: RoomState, _ reason: RoomReason) {
        guard newState != state || reason != lastReason else { return }
        state = newState
        lastReason = reason
        outputs.append(.stateChanged(newState, reason))
    }
}
