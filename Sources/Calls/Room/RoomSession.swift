import MediaTypes

/// Decides when this endpoint joins, retries and leaves its room. Pure: the caller acts on `pollOutput()`.
///
/// What happens in which phase is `RoomTable`'s to say; the session keeps the time, the reasons and the attempts' numbers.
/// Every attempt has a number; an answer to an earlier attempt is ignored.
package struct RoomSession: Sendable {
    package enum Output: Sendable, Equatable {
        case startJoin(attempt: Int)
        /// The attempt is no longer wanted: drop its connection; no answer is expected.
        case cancelJoin(attempt: Int)
        case startLeave
        /// The network changed: find out whether the room is still joined.
        case checkConnection
        case stateChanged(RoomState, RoomReason)
    }

    package private(set) var phase = RoomPhase.loggedOut
    /// The number of the running or last attempt.
    package private(set) var attempt = 0
    /// Whether the next attempt may take the place of a participant with the same id; not after it was itself replaced,
    /// lest two devices with one id take turns for ever.
    package private(set) var mayReplace = true
    /// Why the session is in its state; also when it is too much of the same to be reported.
    package private(set) var reason = RoomReason.requested
    private var retryTime = MonotonicTime.distantFuture
    /// What has been told of the present state.
    private var reported: [RoomReason] = []
    private var policy: RetryPolicy
    private var outputs: [Output] = []

    /// - Parameter seed: differs from device to device, so that a fleet spreads.
    package init(seed: UInt64) {
        policy = RetryPolicy(seed: seed)
    }

    package var state: RoomState { phase.state }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime { phase.isWaiting ? retryTime : .distantFuture }

    /// Asks for the room. It stays wanted, and is retried, until `leave(at:)`.
    package mutating func join(at now: MonotonicTime) throws(RoomSessionError) {
        try request(.join, at: now)
        mayReplace = true
    }

    /// Gives the room up; cancels a join that is under way.
    package mutating func leave(at now: MonotonicTime) throws(RoomSessionError) {
        try request(.leave, at: now)
    }

    /// The room service answered that the room is joined.
    package mutating func joined(attempt number: Int, at now: MonotonicTime) {
        guard number == attempt, phase.activity == .trying else { return }
        mayReplace = true
        policy.succeeded(at: now)
        take(.joined, .requested, at: now)
    }

    /// The attempt failed; the next one is planned.
    package mutating func joinFailed(attempt number: Int, _ reason: RoomReason, at now: MonotonicTime) {
        guard number == attempt, phase.activity == .trying else { return }
        if reason.kind == .joinedElsewhere { mayReplace = false }
        take(.joinFailed(RoomInput.Failure(reason.kind)), reason, at: now)
    }

    /// The joined room is lost.
    package mutating func disconnected(_ reason: RoomReason, at now: MonotonicTime) {
        if reason.kind == .joinedElsewhere { mayReplace = false }
        take(.disconnected(RoomInput.Failure(reason.kind)), reason, at: now)
    }

    /// Leaving is done.
    package mutating func left(at now: MonotonicTime) {
        take(.left, .requested, at: now)
    }

    /// The room service did not confirm the leave in time; the connection is dropped all the same.
    package mutating func leaveFailed(_ reason: RoomReason, at now: MonotonicTime) {
        take(.leaveFailed, reason, at: now)
    }

    /// A link or an address came up, or an address went: an attempt need not wait, one that hangs starts anew, and a joined
    /// room is checked. What another network does not cure waits on.
    package mutating func networkChanged(at now: MonotonicTime) {
        policy.restart()
        take(.networkChanged, reason, at: now)
    }

    /// The configuration changed, the clock was set, or a person asks: an attempt need not wait, whatever it waits for.
    package mutating func retryNow(at now: MonotonicTime) {
        policy.restart()
        take(.retryNow, reason, at: now)
    }

    package mutating func advance(to now: MonotonicTime) {
        guard nextDeadline <= now else { return }
        take(.timeCame, reason, at: now)
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    private mutating func request(_ input: RoomInput, at now: MonotonicTime) throws(RoomSessionError) {
        if case .refused(let error) = RoomTable.outcome(of: input, in: phase) { throw error }
        take(input, .requested, at: now)
    }

    private mutating func take(_ input: RoomInput, _ cause: RoomReason, at now: MonotonicTime) {
        guard case .change(let next, let effects) = RoomTable.outcome(of: input, in: phase) else { return }
        // Leaving was asked for: that the room went meanwhile is no news.
        let cause = phase.activity == .leaving && next == .loggedOut ? .requested : cause
        let isNew = next.state != phase.state
        phase = next
        for effect in effects where effect == .cancelAttempt || effect == .startLeave {
            carryOut(effect, cause, at: now)
        }
        report(cause, isNew: isNew)
        for effect in effects where effect != .cancelAttempt && effect != .startLeave {
            carryOut(effect, cause, at: now)
        }
    }

    private mutating func carryOut(_ effect: RoomEffect, _ cause: RoomReason, at now: MonotonicTime) {
        switch effect {
        case .startAttempt:
            attempt += 1
            outputs.append(.startJoin(attempt: attempt))
        case .cancelAttempt: outputs.append(.cancelJoin(attempt: attempt))
        case .planRetry: retryTime = now + policy.delay(after: cause, at: now)
        case .startLeave: outputs.append(.startLeave)
        case .checkConnection: outputs.append(.checkConnection)
        }
    }

    /// Tells a change once: a retry that fails for a reason already told of is not news, however often reasons alternate.
    private mutating func report(_ cause: RoomReason, isNew: Bool) {
        reason = cause
        if isNew { reported.removeAll(keepingCapacity: true) }
        guard !reported.contains(cause), reported.count < 8 else { return }
        reported.append(cause)
        outputs.append(.stateChanged(phase.state, cause))
    }
}
