import MediaTypes

/// Everything this endpoint decides: its room, its calls, who speaks, what a button means, what an LED says. Pure.
///
/// ```
/// buttons, callbox ctl ─┐                 ┌─▶ outputs: messages, orders to the room service
/// room events, messages ┼─▶ EndpointCore ─┤
/// time ─────────────────┘  │              └─▶ plan: what hardware and network are to do now
///                          ├ RoomSession   the room and its retries
///                          ├ CallSession   the one call
///                          ├ SpeakSession  this endpoint asks to speak
///                          └ SpeakDesk     others ask this endpoint
/// ```
/// Orders that happen once are outputs; what lasts is the `plan`, which the owner compares with what it did last.
package struct EndpointCore: Sendable {
    package struct Settings: Sendable {
        package var participant: Participant
        package var mode = JoiningMode.auto
        package var call = CallSettings()
        /// Whom the call button rings; empty: everybody in the room.
        package var targets: [ParticipantID] = []
        package var permissions = CommandTable()
        package var startsMuted = false
        package var startsCameraOff = false
        package var volumePercent = 100
        package var hasMicrophone = true
        package var cameraCount = 1

        package init(participant: Participant) {
            self.participant = participant
        }
    }

    package enum Output: Sendable, Equatable {
        case room(RoomSession.Output)
        case publisher(PublisherSession.Output)
        /// - Parameter to: nil: everybody else.
        case send(RoomMessage, to: ParticipantID?)
        /// Leave the room service without a word to the others: the room is rejoined or given up.
        case abandonRoom
        case remove(ParticipantID, text: String?)
        case switchCamera
        case openRelay(String?, Interval?)
        case showText(String, Interval)
        /// The participant will not come back: its media connection may be closed.
        case participantGone(ParticipantID)
        case callChanged(CallState, partner: ParticipantID?)
        case callEnded(CallEnd)
        /// Somebody asks to speak, speaks, or no longer does.
        case applicationsChanged
        /// - Parameter stream: its id.
        case playerChanged(stream: String, PlayerState, RoomReason?)
        case speakChanged(SpeakState, SpeakReason)
        /// Another participant's command was not carried out.
        case refused(number: Int, from: ParticipantID, text: String)
        /// What another endpoint said to a command of ours.
        case answered(from: ParticipantID, refusal: String?)
    }

    /// How the last call ended.
    package struct CallEnd: Sendable, Hashable {
        package var callID: String
        package var partner: ParticipantID?
        package var reason: CallEndReason
        package var wasIncoming: Bool
    }

    /// A participant whose connection to the room broke, or that did not show up after the room came back, is waited for.
    static let absenceLimit = Interval.seconds(10)
    /// How long the tone after a call is heard; it ends by itself earlier.
    static let endToneTime = Interval.seconds(4)
    static let volumeStep = 10

    let settings: Settings
    package internal(set) var room: RoomSession
    package internal(set) var call: CallSession
    package internal(set) var publisher: PublisherSession
    package internal(set) var speak: SpeakSession
    package internal(set) var desk: SpeakDesk
    package internal(set) var participants: [ParticipantID: Participant] = [:]
    /// Until when those are waited for who were here before the room was lost.
    var absent: [ParticipantID: MonotonicTime] = [:]
    /// The remote streams by their ids.
    package internal(set) var players: [String: Player] = [:]
    var flowing: Set<ParticipantID> = []
    /// Until when those streams are waited for that were there before the room was lost.
    var unconfirmed: [String: MonotonicTime] = [:]
    package internal(set) var isMuted: Bool
    package internal(set) var isCameraOff: Bool
    /// Push to talk is held.
    package internal(set) var isTalking = false
    package internal(set) var volumePercent: Int
    package internal(set) var lastCallEnd: CallEnd?
    /// What is wrong with devices and lines, in words; not empty: the fault LED.
    package var faults: Set<String> = []
    /// Whether the room was joined before: what follows is a reconnect.
    var wasJoined = false
    var endTone: (tone: CallTone, end: MonotonicTime)?
    var outputs: [Output] = []
    /// Of answers to commands.
    var answerBudget = AnswerBudget()
    var random: SeededRandom

    /// - Parameter seed: differs from device to device and from start to start.
    package init(settings: Settings, seed: UInt64) {
        self.settings = settings
        var random = SeededRandom(seed: seed)
        room = RoomSession(seed: random.next())
        publisher = PublisherSession(seed: random.next())
        call = CallSession(ownID: settings.participant.id, settings: settings.call)
        speak = SpeakSession(ownID: settings.participant.id)
        desk = SpeakDesk(ownID: settings.participant.id)
        isMuted = settings.startsMuted
        isCameraOff = settings.startsCameraOff
        volumePercent = settings.volumePercent
        self.random = random
    }

    /// Whom the room shows now, in order.
    package var presentParticipants: [ParticipantID] {
        room.state.isJoined ? participants.keys.filter { absent[$0] == nil }.sorted() : []
    }

    /// When `advance(to:)` must be called next; `distantFuture` when nothing waits.
    package var nextDeadline: MonotonicTime {
        var soonest = min(room.nextDeadline, min(call.nextDeadline, speak.nextDeadline))
        soonest = min(soonest, publisher.nextDeadline)
        if let endTone { soonest = min(soonest, endTone.end) }
        for time in absent.values { soonest = min(soonest, time) }
        for time in unconfirmed.values { soonest = min(soonest, time) }
        return soonest
    }

    package mutating func advance(to now: MonotonicTime) {
        room.advance(to: now)
        call.advance(to: now)
        speak.advance(to: now)
        publisher.advance(to: now)
        if let tone = endTone, tone.end <= now { endTone = nil }
        for id in absent.filter({ $0.value <= now }).keys.sorted() {
            // Who is cut off from the room service and still heard is not gone.
            if flowing.contains(id) { absent[id] = now + EndpointCore.absenceLimit } else { forget(id, at: now) }
        }
        for stream in unconfirmed.filter({ $0.value <= now }).keys.sorted() { streamRemoved(stream) }
        settle(at: now)
    }

    package mutating func pollOutput() -> Output? {
        outputs.isEmpty ? nil : outputs.removeFirst()
    }

    /// Takes over what the parts decided, after every input.
    mutating func settle(at now: MonotonicTime) {
        while let output = room.pollOutput() {
            if case .stateChanged(let state, _) = output { note(state, at: now) }
            outputs.append(.room(output))
        }
        while let output = call.pollOutput() { take(output, at: now) }
        while let output = speak.pollOutput() { take(output) }
        while let output = desk.pollOutput() { take(output) }
        if maySpeak { publisher.want(at: now) } else { publisher.unwant(at: now) }
        updatePlayers()
        while let output = publisher.pollOutput() { outputs.append(.publisher(output)) }
    }

    mutating func makeID() -> String {
        "\(settings.participant.id.prefix(40))-\(String(random.next() >> 16, radix: 36))"
    }
}
