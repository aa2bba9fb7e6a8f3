import MediaTypes

/// What a person asks for, by button or by `callbox ctl`.
extension EndpointCore {
    /// Does what a button means in the present state.
    package mutating func perform(_ action: ButtonAction, at now: MonotonicTime) throws(ActionError) {
        switch action {
        case .none: break
        case .mute: try setMuted(nil, at: now)
        case .camera: try setCameraOff(nil, at: now)
        case .switchCamera: try switchCamera()
        case .call: try startCall([], at: now)
        case .answer: try answer(at: now)
        case .decline: try decline(at: now)
        case .hangUp: try hangUp(at: now)
        case .talk: setTalking(!isTalking, at: now)
        case .requestToSpeak: try requestToSpeak(at: now)
        case .volumeUp: setVolume(volumePercent + EndpointCore.volumeStep)
        case .volumeDown: setVolume(volumePercent - EndpointCore.volumeStep)
        case .intercom:
            switch call.state {
            case .idle: try startCall([], at: now)
            case .ringing: try answer(at: now)
            case .calling, .inCall: try hangUp(at: now)
            }
        }
        settle(at: now)
    }

    /// - Parameter muted: nil: the other way round.
    package mutating func setMuted(_ muted: Bool?, at now: MonotonicTime) throws(ActionError) {
        guard settings.hasMicrophone else { throw .noMicrophone }
        isMuted = muted ?? !isMuted
    }

    package mutating func setCameraOff(_ off: Bool?, at now: MonotonicTime) throws(ActionError) {
        guard settings.cameraCount > 0 else { throw .noCamera }
        isCameraOff = off ?? !isCameraOff
    }

    package mutating func switchCamera() throws(ActionError) {
        guard settings.cameraCount > 0 else { throw .noCamera }
        guard settings.cameraCount > 1 else { throw .onlyOneCamera }
        outputs.append(.switchCamera)
    }

    /// Push to talk: heard while `talking`, whatever the mute switch says.
    package mutating func setTalking(_ talking: Bool, at now: MonotonicTime) {
        isTalking = talking
    }

    package mutating func setVolume(_ percent: Int) {
        volumePercent = max(0, min(100, percent))
    }

    /// - Parameter wanted: empty: the configured targets, or else everybody in the room.
    package mutating func startCall(_ wanted: [ParticipantID], at now: MonotonicTime) throws(ActionError) {
        guard room.state.isJoined else { throw .notJoined }
        var targets = wanted.isEmpty ? settings.targets : wanted
        if targets.isEmpty { targets = participants.keys.sorted() }
        targets.removeAll { $0 == settings.participant.id }
        guard !targets.isEmpty else { throw .nobodyToCall }
        endTone = nil
        do throws(CallError) {
            try call.call(targets, callID: makeID(), at: now)
        } catch {
            throw EndpointCore.refusal(error)
        }
        settle(at: now)
    }

    package mutating func answer(at now: MonotonicTime) throws(ActionError) {
        do throws(CallError) {
            try call.answer(at: now)
        } catch {
            throw EndpointCore.refusal(error)
        }
        settle(at: now)
    }

    package mutating func decline(at now: MonotonicTime) throws(ActionError) {
        do throws(CallError) {
            try call.decline(at: now)
        } catch {
            throw EndpointCore.refusal(error)
        }
        settle(at: now)
    }

    /// Ends the call that is up, takes back the one that rings elsewhere, declines the one that rings here.
    package mutating func hangUp(at now: MonotonicTime) throws(ActionError) {
        do throws(CallError) {
            try call.hangUp(at: now)
        } catch {
            throw EndpointCore.refusal(error)
        }
        settle(at: now)
    }

    /// Asks; asked already: takes it back; speaking: stops.
    package mutating func requestToSpeak(at now: MonotonicTime) throws(ActionError) {
        guard settings.mode == .listen else { throw .notAudience }
        guard room.state.isJoined else { throw .notJoined }
        do throws(SpeakError) {
            if speak.state == .idle {
                try speak.apply(requestID: makeID(), at: now)
            } else {
                try speak.cancel(at: now)
            }
        } catch {
            throw .asksAlready
        }
        settle(at: now)
    }

    /// Answers another participant's request to speak.
    package mutating func decide(_ participant: ParticipantID, accepts: Bool, at now: MonotonicTime) throws(ActionError)
    {
        do throws(SpeakError) {
            if accepts { try desk.accept(participant) } else { try desk.reject(participant) }
        } catch {
            throw .notAsking(participant)
        }
        settle(at: now)
    }

    /// Sends a command to another participant; whether it obeys is its own affair.
    package mutating func tell(
        _ participant: ParticipantID, _ command: RoomCommand, at now: MonotonicTime
    ) throws(ActionError) {
        guard participants[participant] != nil else { throw .unknownParticipant(participant) }
        let request = RoomRequest(
            command, requestID: makeID(), senderID: settings.participant.id, receiverID: participant)
        outputs.append(.send(.request(request), to: participant))
    }

    private static func refusal(_ error: CallError) -> ActionError {
        switch error {
        case .busy: .callInProgress
        case .nobodyToCall: .nobodyToCall
        case .roomNotJoined: .notJoined
        case .noCall: .noCall
        }
    }
}
