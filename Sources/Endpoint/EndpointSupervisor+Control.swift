import Calls
import JSONText
import MediaTypes
import Panel
import Realtime
import Rooms
import Telemetry

/// What a person asks over the control socket.
extension EndpointSupervisor {
    /// Does it, and answers: the state afterwards, or `error` with words.
    package func answer(_ json: JSONValue) async -> JSONValue {
        do throws(ControlRequestError) {
            let request = try ControlRequest(json)
            switch request {
            case .status: return await status().json
            case .lines: return ["lines": .array((panel?.snapshot ?? []).map(LineStatusText.json))]
            default: break
            }
            try carryOut(request)
        } catch {
            return ["error": .string(error.description)]
        }
        settle()
        return summary
    }

    /// What status shows, without any secret.
    package func status() async -> EndpointStatus {
        let router = self.router
        let connections = await loop.call { router.statuses } ?? []
        var status = EndpointStatus(
            state: core.room.state, reason: reason.text, room: settings.room, participant: settings.participant,
            startTime: startTime, joinedTime: firstJoinTime, joinCount: joinCount,
            participants: core.participants.values.sorted { $0.id < $1.id },
            streams: streams.values.sorted { $0.id < $1.id }, connections: connections, engine: engine)
        status.present = Set(core.presentParticipants)
        status.additions = [
            "call": callJSON, "microphone": microphoneJSON, "camera": cameraJSON,
            "volume": .integer(Int64(core.volumePercent)), "mode": .string(settings.core.mode.rawValue),
            "role": .string((ownRole ?? core.plan.role).rawValue),
            "publisher": [
                "state": .string(core.publisher.state.rawValue),
                "fault": core.publisher.reason.map { .string($0.text) } ?? .null,
            ],
            "players": .array(
                core.players.sorted { $0.key < $1.key }.map { stream, player in
                    [
                        "stream": .string(stream), "participant": .string(player.participant),
                        "state": .string(player.session.state.rawValue),
                        "fault": player.session.reason.map { .string($0.text) } ?? .null,
                    ]
                }),
            "speak": .string(core.speak.state.rawValue),
            "applicants": .array(core.desk.pending.map { .string($0.participant) }),
            "answer": lastAnswer.map { answer in
                ["from": .string(answer.from), "refusal": answer.refusal.map { .string($0) } ?? .null]
            } ?? .null,
            "indicators": .array(core.plan.indicators.map(\.rawValue).sorted().map { .string($0) }),
            "lines": .array((panel?.snapshot ?? []).map(LineStatusText.json)),
        ]
        return status
    }

    private func carryOut(_ request: ControlRequest) throws(ControlRequestError) {
        let now = MonotonicClock.now()
        do throws(ActionError) {
            switch request {
            case .status, .state, .lines: break
            case .mute(let order): try core.setMuted(order.value, at: now)
            case .camera(let order): try core.setCameraOff(order.value.map { !$0 }, at: now)
            case .switchCamera: try core.perform(.switchCamera, at: now)
            case .call(let targets): try core.startCall(targets, at: now)
            case .answer: try core.answer(at: now)
            case .decline: try core.decline(at: now)
            case .hangUp: try core.hangUp(at: now)
            case .talk(let on): core.setTalking(on, at: now)
            case .requestToSpeak: try core.requestToSpeak(at: now)
            case .acceptToSpeak(let id): try core.decide(id, accepts: true, at: now)
            case .rejectToSpeak(let id): try core.decide(id, accepts: false, at: now)
            case .volume(.percent(let percent)): core.setVolume(percent)
            case .volume(.up): try core.perform(.volumeUp, at: now)
            case .volume(.down): try core.perform(.volumeDown, at: now)
            case .tell(let participant, let command): try core.tell(participant, command, at: now)
            case .restartWhenIdle(let delay): restartWhenIdle(within: delay, at: now)
            case .pressLine, .setLine, .openRelay: break
            }
        } catch {
            throw ControlRequestError(error.description)
        }
        try carryOutOnPanel(request)
    }

    private func carryOutOnPanel(_ request: ControlRequest) throws(ControlRequestError) {
        let refusal: PanelRefusal?
        switch request {
        case .pressLine(let name, let time):
            guard let panel else { throw ControlRequestError("no button is configured") }
            refusal = panel.setSimulatedLine(name, active: true)
            if refusal == nil { release(name, after: time) }
        case .setLine(let name, let active):
            guard let panel else { throw ControlRequestError("no line is configured") }
            refusal = panel.setSimulatedLine(name, active: active)
        case .openRelay(let name):
            guard let panel else { throw ControlRequestError("no relay is configured") }
            refusal = panel.openRelay(name, for: nil)
        default: refusal = nil
        }
        if let refusal { throw ControlRequestError("\(refusal)") }
    }

    private func release(_ line: String, after time: Interval) {
        let continuation = post
        Task {
            try? await Task.sleep(nanoseconds: UInt64(time.nanoseconds))
            continuation.yield(.pressEnded(line: line))
        }
    }

    /// The part of the status that a person at the device cares about.
    var summary: JSONValue {
        [
            "ok": true,
            "state": .string(core.room.state.rawValue),
            "join_count": .integer(Int64(joinCount)),
            "call": callJSON,
            "microphone": microphoneJSON,
            "camera": cameraJSON,
            "volume": .integer(Int64(core.volumePercent)),
            "speak": .string(core.speak.state.rawValue),
            "participants": .array(core.presentParticipants.map { .string($0) }),
            "restart": .string(restartDeadline == nil ? "none" : isRestarting ? "now" : "when idle"),
        ]
    }

    var callJSON: JSONValue {
        var members: [String: JSONValue] = [
            "state": .string(core.call.state.rawValue),
            "id": core.call.callID.map { .string($0) } ?? .null,
            "partner": core.call.partner.map { .string($0) } ?? .null,
            "targets": .array(core.call.targets.map { .string($0) }),
            "last_end": .null,
        ]
        if let end = core.lastCallEnd {
            members["last_end"] = [
                "id": .string(end.callID), "reason": .string(end.reason.rawValue),
                "partner": end.partner.map { .string($0) } ?? .null, "incoming": .bool(end.wasIncoming),
            ]
        }
        return .object(members)
    }

    var microphoneJSON: JSONValue {
        ["muted": .bool(core.plan.isMuted), "open": .bool(engine.devices.snapshot[.microphone]?.openDevice != nil)]
    }

    var cameraJSON: JSONValue {
        [
            "off": .bool(core.isCameraOff),
            "open": .bool(engine.devices.snapshot[.camera]?.openDevice != nil),
            "name": engine.camera?.currentCamera.map { .string($0) } ?? .null,
        ]
    }
}

extension ControlRequest.Order {
    /// Nil: the other way round.
    var value: Bool? {
        switch self {
        case .on: true
        case .off: false
        case .toggle: nil
        }
    }
}
