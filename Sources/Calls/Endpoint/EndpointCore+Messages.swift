import MediaTypes

/// What other participants say, and what the parts want said.
extension EndpointCore {
    /// - Parameter sender: as the room service names it.
    package mutating func receive(_ message: RoomMessage, from sender: ParticipantID, at now: MonotonicTime) {
        switch message {
        case .call(let message):
            call.receive(message, from: sender, at: now)
        case .request(let request):
            // Who speaks before the room service named it is nobody.
            guard let participant = participants[sender] else { return }
            receive(request, from: participant, at: now)
        }
        settle(at: now)
    }

    private mutating func receive(_ request: RoomRequest, from sender: Participant, at now: MonotonicTime) {
        switch request.command {
        // What hosts decide about speakers is said to everybody; all else that is meant for somebody else is not.
        case .acceptToSpeak, .rejectToSpeak: break
        default: guard request.isMeant(for: settings.participant.id) else { return }
        }
        switch request.command {
        case .applyToSpeak, .cancelApplication:
            if isHost { desk.receive(request, from: sender) }
        case .acceptToSpeak, .rejectToSpeak:
            // Another host may have settled it.
            if isHost { desk.receive(request, from: sender) } else { speak.receive(request, from: sender, at: now) }
        case .done: outputs.append(.answered(from: sender.id, refusal: nil))
        case .refused(let text): outputs.append(.answered(from: sender.id, refusal: text))
        default:
            obey(request, from: sender, at: now)
        }
    }

    /// A listener is none, also while it speaks.
    private var isHost: Bool { settings.mode != .listen }

    private mutating func obey(_ request: RoomRequest, from sender: Participant, at now: MonotonicTime) {
        let isPartner = call.state == .inCall && call.partner == sender.id
        switch settings.permissions.decide(request, sender: sender, isPartner: isPartner) {
        case .refused(let text):
            refuse(request, from: sender, text, at: now)
        case .allowed:
            do throws(ActionError) {
                try carryOut(request.command, at: now)
                answer(request, from: sender, .done, at: now)
            } catch {
                refuse(request, from: sender, error.description, at: now)
            }
        }
    }

    private mutating func carryOut(_ command: RoomCommand, at now: MonotonicTime) throws(ActionError) {
        switch command {
        case .mute: try setMuted(true, at: now)
        case .cameraOff: try setCameraOff(true, at: now)
        case .switchCamera: try switchCamera()
        case .removeParticipant(let id, let text):
            guard id == settings.participant.id else {
                guard participants[id] != nil else { throw .unknownParticipant(id) }
                outputs.append(.remove(id, text: text))
                return
            }
            abandonRoom(RoomReason(.kicked, text ?? "removed by a command"), at: now)
        case .openRelay(let name, let time): outputs.append(.openRelay(name, time))
        case .showText(let text, let seconds): outputs.append(.showText(text, .seconds(Int64(seconds))))
        case .setVolume(let percent): setVolume(percent)
        case .applyToSpeak, .cancelApplication, .acceptToSpeak, .rejectToSpeak, .done, .refused: break
        }
    }

    private mutating func refuse(
        _ request: RoomRequest, from sender: Participant, _ text: String, at now: MonotonicTime
    ) {
        outputs.append(.refused(number: request.command.kind.rawValue, from: sender.id, text: text))
        answer(request, from: sender, .refused(text), at: now)
    }

    private mutating func answer(
        _ request: RoomRequest, from sender: Participant, _ command: RoomCommand, at now: MonotonicTime
    ) {
        // Whoever sends commands by the hundred must not make this endpoint exceed the room service's rate.
        guard answerBudget.take(at: now) else { return }
        let id = settings.participant.id
        outputs.append(.send(.request(request.answer(command, by: id)), to: sender.id))
    }

    mutating func take(_ output: SpeakSession.Output) {
        switch output {
        // Every host is asked, and hears what becomes of it.
        case .send(let request): outputs.append(.send(.request(request), to: nil))
        case .stateChanged(let state, let reason): outputs.append(.speakChanged(state, reason))
        }
    }

    mutating func take(_ output: SpeakDesk.Output) {
        switch output {
        case .send(let request):
            outputs.append(.send(.request(request), to: nil))
            outputs.append(.applicationsChanged)
        case .applied, .withdrawn, .stopped: outputs.append(.applicationsChanged)
        }
    }

    mutating func take(_ output: CallSession.Output, at now: MonotonicTime) {
        switch output {
        case .send(let message, let receiver):
            outputs.append(.send(.call(message), to: receiver))
        case .stateChanged(let state, let partner):
            if state != .idle { endTone = nil }
            if state == .inCall && settings.mode == .onCall {
                // What an earlier caller switched off is not the next one's affair.
                isMuted = settings.startsMuted
                isCameraOff = settings.startsCameraOff
            }
            outputs.append(.callChanged(state, partner: partner))
        case .ended(let callID, let partner, let reason, let wasIncoming):
            let end = CallEnd(callID: callID, partner: partner, reason: reason, wasIncoming: wasIncoming)
            lastCallEnd = end
            if let tone = EndpointCore.tone(after: end) { endTone = (tone, now + EndpointCore.endToneTime) }
            outputs.append(.callEnded(end))
        }
    }

    /// A person who waited at the device hears that nobody comes.
    private static func tone(after end: CallEnd) -> CallTone? {
        switch end.reason {
        case .declined, .busy, .timedOut, .offline: end.wasIncoming ? nil : .busy
        case .lost: .busy
        case .hungUp: .ended
        case .cancelled, .answeredElsewhere: nil
        }
    }
}
