/// What hardware and network are to do, as a consequence of everything else.
extension EndpointCore {
    package var plan: EndpointPlan {
        var plan = EndpointPlan()
        plan.role = wantedRole
        // A connection outlives the loss of the room: so do microphone and camera.
        let isThere = room.state.isJoined || wasJoined
        let speaks = isThere && maySpeak
        // In the mode auto the devices are warm when the room is joined.
        let opens = settings.mode == .auto ? isThere || isJoining : speaks
        plan.publishes = room.state.isJoined && maySpeak
        plan.isMuted = isMuted && !isTalking
        plan.isCameraOff = isCameraOff
        plan.isMicrophoneOpen = opens && settings.hasMicrophone
        plan.isCameraOn = opens && settings.cameraCount > 0 && !isCameraOff
        plan.sendTo = speaks ? audience : .nobody
        plan.playFrom = isThere ? heard : .nobody
        plan.tone = tone
        plan.volumePercent = volumePercent
        plan.indicators = indicators(plan)
        return plan
    }

    private var isJoining: Bool {
        switch room.state {
        case .loggingIn, .loginFailed, .loggedIn, .reconnecting, .reconnected, .reconnectFailed: true
        case .loggedOut, .kickedOut, .logoutFailed: false
        }
    }

    /// In a call: whom it is with.
    private var partner: ParticipantID? { call.state == .inCall ? call.partner : nil }

    var maySpeak: Bool {
        guard settings.hasMicrophone || settings.cameraCount > 0 else { return false }
        return switch settings.mode {
        case .auto: true
        case .onCall: call.state == .inCall
        case .listen: speak.state == .speaking || isInCallWithHost
        }
    }

    /// A host that calls, or is called, lets this endpoint speak.
    private var isInCallWithHost: Bool {
        guard let partner else { return false }
        return participants[partner]?.role == .host
    }

    private var wantedRole: Participant.Role {
        settings.mode == .listen && !maySpeak ? .audience : .host
    }

    private var audience: MediaPeers {
        guard settings.mode == .onCall else { return .everybody }
        return partner.map { .only([$0]) } ?? .nobody
    }

    /// A call in the mode `on-call` is between two: neither is the room heard before it, nor during it.
    private var heard: MediaPeers {
        guard settings.mode == .onCall else { return .everybody }
        return partner.map { .only([$0]) } ?? .nobody
    }

    private var tone: CallTone {
        switch call.state {
        case .ringing: .ring
        case .calling: .ringBack
        case .idle where endTone != nil: endTone?.tone ?? .none
        case .idle, .inCall: .none
        }
    }

    private func indicators(_ plan: EndpointPlan) -> Set<Indicator> {
        var shown: Set<Indicator> = [.power]
        if room.state.isJoined { shown.insert(.joined) }
        if publisher.state == .publishing { shown.insert(.publishing) }
        switch call.state {
        case .calling, .ringing: shown.insert(.ringing)
        case .inCall: shown.insert(.inCall)
        case .idle: break
        }
        if settings.hasMicrophone && plan.isMuted { shown.insert(.muted) }
        if settings.cameraCount > 0 && isCameraOff { shown.insert(.cameraOff) }
        switch room.state {
        case .loggedIn, .reconnected, .loggedOut: break
        case .loggingIn, .reconnecting, .loginFailed: shown.insert(.reconnecting)
        case .reconnectFailed, .kickedOut, .logoutFailed: shown.insert(.fault)
        }
        if !faults.isEmpty { shown.insert(.fault) }
        return shown
    }
}
