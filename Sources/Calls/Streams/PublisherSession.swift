import MediaTypes

/// Keeps this endpoint's stream published while it is wanted and the room is joined. Pure: the caller acts on
/// `pollOutput()`, in the order of the outputs.
///
/// What happens in which phase is `PublisherTable`'s to say. Every request has a number; an answer to an earlier one is
/// ignored.
package struct PublisherSession: Sendable {
    package enum Output: Sendable, Equatable {
        case publish(request: Int)
        case unpublish
        /// With the error that caused it, if an error did.
        case stateChanged(PublisherState, RoomReason?)
    }

    package private(set) var phase = PublisherPhase.idleOutside
    /// The number of the last request.
    package private(set) var request = 0
    /// Why it is requesting again or still; nil when nothing went wrong.
    package private(set) var reason: RoomReason?
    private var retryTime = MonotonicTime.distantFuture
    private var policy: RetryPolicy
    private var outputs: [Output] = []

    /// - Parameter seed: spreads the retries of a fleet.
    package init(seed: UInt64) {
        policy = RetryPolicy(seed: seed)
    }

    package var state: PublisherState { phase.state }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime { phase == .requestingWaiting ? retryTime : .distantFuture }

    /// The stream is to be published from now on.
    package mutating func want(at now: MonotonicTime) { take(.want, nil, at: now) }

    package mutating func unwant(at now: MonotonicTime) { take(.unwant, nil, at: now) }

    package mutating func roomJoined(at now: MonotonicTime) { take(.roomJoined, reason, at: now) }

    /// - Parameter cause: nil when the room was left on request.
    package mutating func roomLost(_ cause: RoomReason?, at now: MonotonicTime) { take(.roomLost, cause, at: now) }

    package mutating func accepted(request number: Int, at now: MonotonicTime) {
        guard number == request, phase == .requestingAsking else { return }
        policy.succeeded(at: now)
        take(.accepted, nil, at: now)
    }

    package mutating func refused(request number: Int, _ cause: RoomReason, at now: MonotonicTime) {
        guard number == request else { return }
        take(.refused, cause, at: now)
    }

    /// The stream is no longer published although the room is joined.
    package mutating func broken(_ cause: RoomReason, at now: MonotonicTime) { take(.broken, cause, at: now) }

    /// What was refused may be accepted now: the configuration or the role changed.
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

    private mutating func take(_ input: PublisherInput, _ cause: RoomReason?, at now: MonotonicTime) {
        guard case .change(let next, let effects) = PublisherTable.outcome(of: input, in: phase) else { return }
        let isNews = next.state != phase.state || next.state == .requesting && cause != reason
        phase = next
        reason = next.state == .requesting ? cause : nil
        if isNews { outputs.append(.stateChanged(next.state, reason)) }
        for effect in effects {
            switch effect {
            case .ask:
                request += 1
                outputs.append(.publish(request: request))
            case .withdraw: outputs.append(.unpublish)
            case .planRetry: retryTime = now + policy.delay(after: cause ?? .requested, at: now)
            }
        }
    }
}
