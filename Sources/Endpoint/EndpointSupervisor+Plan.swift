import Calls
import MediaEngine
import MediaTypes
import PeerConnection
import Realtime
import Rooms
import Telemetry

/// What the core decided, done.
extension EndpointSupervisor {
    func carryOut(_ output: EndpointCore.Output) {
        switch output {
        case .room(let output): carryOut(output)
        case .send(let message, let receiver): send(message, to: receiver)
        case .publisher(.publish(let request)): publish(request: request)
        case .publisher(.unpublish): unpublish()
        case .publisher(.stateChanged(let state, let reason)):
            Log.notice("publish", state.rawValue + (reason.map { " (\($0.text))" } ?? ""))
        case .abandonRoom:
            forgetRoom()
            letGo(joining: nil)
        case .remove(let participant, let text): remove(participant, text: text)
        case .switchCamera: engine.camera?.switchCamera(to: nil)
        case .openRelay(let name, let time):
            openRelay(name, for: time)
        case .showText(let text, let time):
            Log.notice("panel", "shows a text for \(time.seconds) s")
            engine.screen?.output.show(text: text, until: MonotonicClock.now() + time)
        case .participantGone(let id):
            streams = streams.filter { $0.value.participant != id }
            shownStreams = shownStreams.filter { $0.value.participant != id }
            let router = self.router
            loop.post { router.participantGone(id) }
        case .callChanged(let state, let partner):
            Log.notice("call", "\(state.rawValue)" + (partner.map { " with \($0)" } ?? ""))
        case .callEnded(let end):
            Log.notice("call", "ended\(end.partner.map { " with \($0)" } ?? ""): \(end.reason.rawValue)")
        case .applicationsChanged:
            let asking = core.desk.pending.map(\.participant).joined(separator: ", ")
            Log.notice("speak", asking.isEmpty ? "nobody asks to speak" : "asking to speak: \(asking)")
        case .playerChanged(let stream, let state, let reason):
            Log.info("play", "\(stream): \(state.rawValue)" + (reason.map { " (\($0.text))" } ?? ""))
        case .speakChanged(let state, let reason): Log.notice("speak", "\(state.rawValue) (\(reason.rawValue))")
        case .answered(let sender, let refusal):
            lastAnswer = (sender, refusal)
            Log.notice("room", "\(sender) \(refusal.map { "refuses: \($0)" } ?? "has done it")")
        case .refused(let number, let sender, let text):
            refusedRequests.increment()
            Log.warning("room", "request \(number) of \(sender) is refused: \(text)")
        }
    }

    private func carryOut(_ output: RoomSession.Output) {
        switch output {
        case .stateChanged(let state, let reason):
            self.reason = reason
            let suffix = reason == .requested ? "" : " (\(reason.text))"
            Log.notice("room", "\(state.rawValue) \(settings.room)\(suffix)")
            if state == .loginFailed && !settings.isRoomNamed && !isHintGiven {
                isHintGiven = true
                Log.warning("room", "no room service is configured: set room.url, or lobby.host to serve the room here")
            }
        case .startJoin(let attempt): startJoin(attempt)
        case .cancelJoin:
            joining?.cancel()
            letGo(joining: joining)
            joining = nil
        case .startLeave: startLeave()
        case .checkConnection: service.checkConnection()
        }
    }

    private func send(_ message: RoomMessage, to receiver: ParticipantID?) {
        let json = message.json
        tell { supervisor in
            do throws(RoomError) {
                try await supervisor.service.send(message: json, to: receiver)
            } catch {
                Log.info("room", "a message to \(receiver ?? "everybody") was not delivered: \(error.reason.text)")
            }
        }
    }

    private func remove(_ participant: ParticipantID, text: String?) {
        let service = self.service
        Task {
            do throws(RoomError) {
                try await service.kick(participant, text: text)
            } catch {
                Log.warning("room", "\(participant) was not removed: \(error.reason.text)")
            }
        }
    }

    /// Changes what differs from the plan that was carried out last.
    func apply(_ plan: EndpointPlan) {
        let last = appliedPlan
        guard plan != last else { return }
        appliedPlan = plan
        // Muted before anything is opened, opened after everything is muted.
        if plan.isMuted != last?.isMuted { engine.capture?.setMuted(plan.isMuted) }
        if plan.isCameraOff != last?.isCameraOff { engine.camera?.setOn(!plan.isCameraOff) }
        if plan.isMicrophoneOpen != last?.isMicrophoneOpen || plan.isCameraOn != last?.isCameraOn {
            engine.setActive(microphone: plan.isMicrophoneOpen, camera: plan.isCameraOn)
        }
        if plan.sendTo != last?.sendTo || plan.playFrom != last?.playFrom {
            let router = self.router
            loop.post { router.setRouting(sendTo: plan.sendTo, playFrom: plan.playFrom) }
        }
        if plan.volumePercent != last?.volumePercent { engine.playback?.setVolume(percent: plan.volumePercent) }
        if plan.tone != last?.tone {
            engine.playback?.setToneVolume(percent: toneVolume(plan.tone))
            engine.playback?.setTone(plan.tone.sound)
        }
        if core.publisher.state == .publishing, let last,
            plan.isMuted != last.isMuted || plan.isCameraOff != last.isCameraOff
        {
            tellSwitches()
        }
        if plan.indicators != last?.indicators { panel?.show(plan.indicators) }
    }

    private func toneVolume(_ tone: CallTone) -> Int {
        tone == .ring ? settings.ringVolumePercent : settings.ringBackVolumePercent
    }

    func handle(_ event: RouterEvent, at now: MonotonicTime) {
        switch event {
        case .signal(let id, let signal):
            service.send(signal, on: id)
        case .connectionChanged(let id, let state):
            Log.notice("play", "connection with \(id): \(state)")
            if state == .failed || state == .closed { core.mediaChanged(with: id, isFlowing: false, at: now) }
        case .connectionFailed(let id, let reason):
            Log.warning("play", "connection with \(id) failed: \(reason)")
        case .healthChanged(let id, let health):
            Log.info("play", "media with \(id): \(health.rawValue)")
            core.mediaChanged(with: id, isFlowing: health != .noData, at: now)
        case .rejoinWanted(let reason):
            guard core.room.state.isJoined else { return }
            Log.warning("room", "rejoining: \(reason)")
            core.abandonRoom(RoomReason(.transient, reason), at: now)
        }
    }
}

extension CallTone {
    /// What the speaker sounds.
    var sound: Tone {
        switch self {
        case .none: .none
        case .ring: .ring
        case .ringBack: .ringBack
        case .busy: .busy
        case .ended: .ended
        }
    }
}
