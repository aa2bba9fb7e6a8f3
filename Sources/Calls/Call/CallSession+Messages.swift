import MediaTypes

/// Messages of other participants, sorted by what this side knows of their call.
extension CallSession {
    /// - Parameter sender: as the room service tells it.
    package mutating func receive(_ message: CallMessage, from sender: ParticipantID, at now: MonotonicTime) {
        guard isRoomJoined, participants.contains(sender) else {
            ignoredMessages += 1
            return
        }
        if message.callID == callID, links.contains(where: { $0.id == sender }) {
            return take(CallInput(message.event), from: sender, message, at: now)
        }
        let index = closing.firstIndex { $0.callID == message.callID && $0.caller == sender }
        let known = ended.reason(of: message.callID, with: sender)
        let record: CallRecord =
            index != nil ? .closing : known != nil ? .ended : isInUse(message.callID) ? .foreign : .unknown
        switch record.outcome(of: message.event) {
        case .newCall:
            take(inviteInput(from: sender), from: sender, message, at: now)
        case .settle:
            if let index { settle(closing.remove(at: index), message.endReason) }
        case .repeatEnd:
            if let index { repeatEnd(index, at: now) }
        case .answerEnded:
            ignoredMessages += 1
            answer(CallMessage(.ended, callID: message.callID, reason: known ?? .lost), to: sender, at: now)
        case .ignore:
            ignoredMessages += 1
        }
    }

    /// Ids are never used twice: whoever uses one that is in use has overheard it.
    private func isInUse(_ id: String) -> Bool {
        id == callID || closing.contains { $0.callID == id } || ended.contains(id)
    }

    private func inviteInput(from sender: ParticipantID) -> CallInput {
        if phase == .calling, links.contains(where: { $0.id == sender }) {
            return sender < ownID ? .winningInvite : .losingInvite
        }
        return settings.autoAnswer.contains(sender) ? .listedInvite : .invite
    }

    /// The room is joined and shows the participant.
    func isReachable(_ id: ParticipantID) -> Bool {
        isRoomJoined && participants.contains(id)
    }

    /// Sends if that can arrive; what is lost is said again when both are back in the room.
    mutating func send(_ message: CallMessage, to id: ParticipantID) {
        if isReachable(id) { outputs.append(.send(message, to: id)) }
    }

    /// Sends what the other side can make this one send again and again.
    mutating func answer(_ message: CallMessage, to id: ParticipantID, at now: MonotonicTime) {
        guard isReachable(id), budget.take(at: now) else { return }
        outputs.append(.send(message, to: id))
    }

    // MARK: Calls that the callee has ended

    mutating func close(
        _ callID: String, with caller: ParticipantID, _ event: CallMessage.Event, _ reason: CallEndReason,
        at now: MonotonicTime
    ) {
        if closing.count >= ClosingCall.capacity {
            let oldest = closing.removeFirst()
            settle(oldest, oldest.reason)
        }
        let call = ClosingCall(
            callID: callID, caller: caller, event: event, reason: isReachable(caller) ? reason : .lost,
            deadline: now + settings.lostTime)
        closing.append(call)
        send(call.message, to: caller)
    }

    mutating func repeatEnd(_ index: Int, at now: MonotonicTime) {
        closing[index].deadline = now + settings.lostTime
        answer(closing[index].message, to: closing[index].caller, at: now)
    }

    mutating func settle(_ call: ClosingCall, _ reason: CallEndReason) {
        ended.add(call.callID, with: call.caller, reason)
        outputs.append(.ended(callID: call.callID, with: call.caller, reason, wasIncoming: true))
    }

    /// Settles those whose caller has been silent for too long.
    mutating func settleClosing(at now: MonotonicTime) {
        while let index = closing.firstIndex(where: { $0.deadline <= now }) {
            let call = closing.remove(at: index)
            settle(call, isReachable(call.caller) ? call.reason : .lost)
        }
    }
}
