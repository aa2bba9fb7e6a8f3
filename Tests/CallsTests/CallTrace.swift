import MediaTypes

@testable import Calls

/// Random inputs of a call session and what it does about each, one JSON object a line, for the page's own call machine: what
/// `Tests/PeerTests/page_tests.js` makes of the same inputs must be the same.
struct CallTrace {
    private static let others: [ParticipantID] = ["a", "b", "n", "z"]

    private(set) var text = ""
    private var session = CallSession(
        ownID: "m",
        settings: CallSettings(ringTime: .seconds(3), lostTime: .seconds(2), autoAnswer: ["b"]))
    private var random: SeededRandom
    private var milliseconds: Int64 = 1_000
    private var isJoined = false
    private var lastID = 0

    init(seed: UInt64, steps: Int) {
        random = SeededRandom(seed: seed)
        text += #"{"op":"new"}"# + "\n"
        for _ in 0..<steps { step() }
    }

    private var now: MonotonicTime { .zero + .milliseconds(milliseconds) }

    private mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private mutating func newID() -> String {
        lastID += 1
        return "c\(lastID)"
    }

    /// One that is on, one of the last, or a new one.
    private mutating func someID() -> String {
        switch draw(4) {
        case 0: "c\(max(1, lastID - draw(8)))"
        case 1: newID()
        default: session.callID ?? "c\(lastID)"
        }
    }

    private mutating func step() {
        milliseconds += Int64(draw(300))
        guard let (input, error) = act() else { return }
        var outputs: [String] = []
        while let output = session.pollOutput() {
            switch output {
            case .send(let message, let receiver):
                outputs.append(
                    "send \(message.event.rawValue) \(message.callID) \(message.reason?.rawValue ?? "-") \(receiver)")
            case .ended(let callID, let other, let reason, let wasIncoming):
                outputs.append("ended \(callID) \(other ?? "-") \(reason.rawValue) \(wasIncoming)")
            case .stateChanged: break
            }
        }
        let deadline = session.nextDeadline == .distantFuture ? -1 : (session.nextDeadline - .zero).milliseconds
        let quoted = outputs.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        text += "{\(input),\"now\":\(milliseconds),\"then\":[\"\(error?.rawValue ?? "-")\",[\(quoted)],"
        text +=
            "\"\(session.state.rawValue)\",\"\(session.partner ?? "-")\",\"\(session.callID ?? "-")\",\(deadline)]}\n"
    }

    /// - Returns: the input as JSON members, and why it was refused; nil: this one is impossible now.
    private mutating func act() -> (input: String, error: CallError?)? {
        if session.nextDeadline <= now {
            session.advance(to: now)
            return (#""op":"advance""#, nil)
        }
        let id = CallTrace.others[draw(4)]
        switch draw(18) {
        case 0, 1: return command("call", id)
        case 2: return command("answer", id)
        case 3: return command("decline", id)
        case 4: return command("hangUp", id)
        case 5, 6: return room(id)
        case 7 where isJoined:
            session.participantJoined(id, at: now)
            return (#""op":"participantJoined","who":"\#(id)""#, nil)
        case 8 where isJoined && session.participants.contains(id):
            let isLost = draw(2) == 0
            session.participantLeft(id, isLost: isLost, at: now)
            return (#""op":"participantLeft","who":"\#(id)","is":\#(isLost)"#, nil)
        case 9:
            let flows = draw(2) == 0
            session.mediaChanged(with: id, isFlowing: flows, at: now)
            return (#""op":"mediaChanged","who":"\#(id)","is":\#(flows)"#, nil)
        default: return message(from: draw(2) == 0 ? session.links.first?.id ?? id : id)
        }
    }

    private mutating func command(_ name: String, _ id: ParticipantID) -> (input: String, error: CallError?) {
        var members = "\"op\":\"\(name)\""
        do throws(CallError) {
            switch name {
            case "call":
                let targets = [id, CallTrace.others[draw(4)]]
                let callID = newID()
                members += #","targets":["\#(targets[0])","\#(targets[1])"],"id":"\#(callID)""#
                try session.call(targets, callID: callID, at: now)
            case "answer": try session.answer(at: now)
            case "decline": try session.decline(at: now)
            default: try session.hangUp(at: now)
            }
        } catch {
            return (members, error)
        }
        return (members, nil)
    }

    private mutating func room(_ id: ParticipantID) -> (input: String, error: CallError?)? {
        if !isJoined {
            isJoined = true
            var present: [ParticipantID] = []
            for other in CallTrace.others where draw(4) != 0 { present.append(other) }
            session.roomJoined(participants: Set(present), at: now)
            let list = present.map { "\"\($0)\"" }.joined(separator: ",")
            return (#""op":"roomJoined","all":[\#(list)]"#, nil)
        }
        switch draw(16) {
        case 0:
            isJoined = false
            session.leaveRoom(at: now)
            return (#""op":"leaveRoom""#, nil)
        case 1, 2:
            isJoined = false
            session.roomLost(at: now)
            return (#""op":"roomLost""#, nil)
        default: return nil
        }
    }

    private mutating func message(from sender: ParticipantID) -> (input: String, error: CallError?) {
        let event = CallMessage.Event.allCases[draw(CallMessage.Event.allCases.count)]
        let callID = someID()
        let reason = draw(2) == 0 ? CallEndReason.allCases[draw(CallEndReason.allCases.count)] : nil
        session.receive(CallMessage(event, callID: callID, reason: reason), from: sender, at: now)
        var members = #""op":"receive","event":"\#(event.rawValue)","id":"\#(callID)","who":"\#(sender)""#
        if let reason { members += #","reason":"\#(reason.rawValue)""# }
        return (members, nil)
    }
}
