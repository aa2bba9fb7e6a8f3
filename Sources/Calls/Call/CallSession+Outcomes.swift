import MediaTypes

/// Does what the call table says.
extension CallSession {
    /// - Parameters:
    ///   - other: whom the input is about; nil: it is about every link.
    ///   - message: of the inputs that are messages.
    mutating func take(
        _ input: CallInput, from other: ParticipantID? = nil, _ message: CallMessage? = nil, at now: MonotonicTime
    ) {
        switch CallTable.outcome(of: input, in: phase) {
        case .refuse, .inviteTargets: preconditionFailure("commands are told apart before")
        case .nothing, .keepOwnCall: break
        case .ignore: ignoredMessages += 1
        case .ring, .answerAtOnce, .refuseBusy, .takeTheirCall:
            guard let other, let message else { preconditionFailure("an invite has a sender") }
            takeInvite(message.callID, from: other, CallTable.outcome(of: input, in: phase), at: now)
        case .noteRinging:
            for index in links.indices where links[index].id == other { links[index].hasRung = true }
        case .acceptCall:
            ringDeadline = nil
            change(to: .inCallAsCallee)
            greet(.accept)
        case .connect:
            if let other { connect(with: other) }
        case .repeatRinging: answerLink(.ringing, at: now)
        case .repeatAccept: answerLink(.accept, at: now)
        case .greet:
            guard let other else { break }
            greet(phase == .calling ? .invite : phase == .ringing ? .ringing : .resume, only: other)
        case .dropTarget, .dropEndedTarget, .dropAbsentTarget:
            let isAnswered = CallTable.outcome(of: input, in: phase) == .dropTarget
            if let other { drop(other, message?.endReason ?? .lost, isAnswered: isAnswered) }
        case .cancelTargets: endAsCaller(.cancelled)
        case .timeOutTargets: endAsCaller(.timedOut)
        case .hangUpAndSettle: endAsCaller(.hungUp)
        case .settle: end(message?.endReason ?? .lost)
        case .settleAndAnswer:
            let reason = message?.endReason ?? .lost
            if let callID, let other { send(CallMessage(.ended, callID: callID, reason: reason), to: other) }
            end(reason)
        case .declineAndClose: endAsCallee(.decline, .declined, at: now)
        case .timeOutAndClose: endAsCallee(.decline, .timedOut, at: now)
        case .hangUpAndClose: endAsCallee(.hangUp, .hungUp, at: now)
        case .endLost: end(.lost)
        case .endForGood:
            switch phase {
            case .idle: break
            case .calling: endAsCaller(.cancelled)
            case .inCallAsCaller: endAsCaller(.hungUp)
            // `leaveRoom` settles it.
            case .ringing: endAsCallee(.decline, .declined, at: now)
            case .inCallAsCallee: endAsCallee(.hangUp, .hungUp, at: now)
            }
        case .watch: break
        }
        watch(at: now)
    }

    // MARK: Beginning

    mutating func invite(_ others: [ParticipantID], callID id: String, at now: MonotonicTime) {
        targets = others
        callID = id
        reasons = []
        links = []
        for target in others {
            if participants.contains(target) {
                links.append(Link(id: target))
            } else {
                reasons.append(.offline)
                ended.add(id, with: target, .offline)
            }
        }
        guard !links.isEmpty else { return finish(.offline, wasIncoming: false) }
        ringDeadline = now + settings.ringTime
        change(to: .calling)
        greet(.invite)
    }

    private mutating func takeInvite(
        _ id: String, from caller: ParticipantID, _ outcome: CallOutcome, at now: MonotonicTime
    ) {
        switch outcome {
        case .refuseBusy:
            // Beyond the budget it stays unanswered: the caller's timer ends it.
            guard budget.take(at: now) else { return ignoredMessages += 1 }
            close(id, with: caller, .busy, .busy, at: now)
            return
        case .takeTheirCall:
            if let own = callID {
                cancelOthers(than: caller)
                ended.add(own, with: caller, .cancelled)
            }
        default: break
        }
        callID = id
        links = [Link(id: caller)]
        targets = []
        reasons = []
        if outcome == .ring {
            ringDeadline = now + settings.ringTime + CallSettings.calleeMargin
            change(to: .ringing)
            greet(.ringing)
        } else {
            ringDeadline = nil
            change(to: .inCallAsCallee)
            greet(.accept)
        }
    }

    private mutating func connect(with target: ParticipantID) {
        cancelOthers(than: target)
        links.removeAll { $0.id != target }
        reasons = []
        ringDeadline = nil
        change(to: .inCallAsCaller)
    }

    /// One of the two has got the call: the other targets stop ringing.
    private mutating func cancelOthers(than one: ParticipantID) {
        guard let callID else { return }
        for link in links where link.id != one {
            tell(.cancel, .answeredElsewhere, link.id, callID)
        }
    }

    // MARK: Ending

    /// Tells a target or partner of the caller's word, and remembers it; `lost` if it cannot be told.
    private mutating func tell(
        _ event: CallMessage.Event, _ reason: CallEndReason, _ id: ParticipantID, _ callID: String
    ) {
        ended.add(callID, with: id, isReachable(id) ? reason : .lost)
        send(CallMessage(event, callID: callID, reason: reason), to: id)
    }

    private mutating func drop(_ target: ParticipantID, _ reason: CallEndReason, isAnswered: Bool) {
        guard let callID else { return }
        links.removeAll { $0.id == target }
        reasons.append(reason)
        ended.add(callID, with: target, reason)
        if isAnswered { send(CallMessage(.ended, callID: callID, reason: reason), to: target) }
        if links.isEmpty { finish(CallEndReason.mostTelling(of: reasons), wasIncoming: false) }
    }

    private mutating func endAsCaller(_ reason: CallEndReason) {
        guard let callID else { return }
        let event: CallMessage.Event = phase == .calling ? .cancel : .hangUp
        let isTold = links.contains { isReachable($0.id) }
        for link in links { tell(event, reason, link.id, callID) }
        reasons.append(isTold ? reason : .lost)
        finish(isTold && reason != .timedOut ? reason : CallEndReason.mostTelling(of: reasons), wasIncoming: false)
    }

    private mutating func endAsCallee(
        _ event: CallMessage.Event, _ reason: CallEndReason, at now: MonotonicTime
    ) {
        guard let callID, let caller = partner else { return }
        close(callID, with: caller, event, reason, at: now)
        becomeIdle()
    }

    /// Ends a call with one other side for a reason that is settled.
    private mutating func end(_ reason: CallEndReason) {
        guard let callID, let partner else { return }
        ended.add(callID, with: partner, reason)
        finish(reason, wasIncoming: phase != .inCallAsCaller)
    }

    private mutating func finish(_ reason: CallEndReason, wasIncoming: Bool) {
        guard let callID else { return }
        let other = partner ?? (targets.count == 1 ? targets.first : nil)
        becomeIdle()
        outputs.append(.ended(callID: callID, with: other, reason, wasIncoming: wasIncoming))
    }

    private mutating func becomeIdle() {
        callID = nil
        links = []
        targets = []
        reasons = []
        ringDeadline = nil
        change(to: .idle)
    }

    private mutating func change(to newPhase: CallPhase) {
        let isNews = newPhase.state != phase.state
        phase = newPhase
        if isNews { outputs.append(.stateChanged(state, partner: partner)) }
    }

    // MARK: The other side

    /// Says where this side stands, to all links or one.
    private mutating func greet(_ event: CallMessage.Event, only other: ParticipantID? = nil) {
        guard let callID else { return }
        for link in links where other == nil || link.id == other {
            send(CallMessage(event, callID: callID), to: link.id)
        }
    }

    private mutating func answerLink(_ event: CallMessage.Event, at now: MonotonicTime) {
        guard let callID, let partner else { return }
        answer(CallMessage(event, callID: callID), to: partner, at: now)
    }

    /// Starts or stops the lost time of each link.
    private mutating func watch(at now: MonotonicTime) {
        let isAnswered = state == .inCall
        for index in links.indices {
            let id = links[index].id
            if isReachable(id) || isAnswered && flowing.contains(id) {
                links[index].lostDeadline = nil
            } else if links[index].lostDeadline == nil {
                links[index].lostDeadline = now + settings.lostTime
            }
        }
    }
}
