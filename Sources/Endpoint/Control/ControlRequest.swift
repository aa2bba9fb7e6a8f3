import Calls
import JSONText
import MediaTypes

/// What `callbox status` and `callbox ctl` ask of a running endpoint.
///
/// One JSON object: `command` names it, the other members are its values. `{"command": "mute", "to": "toggle"}`.
package enum ControlRequest: Sendable, Equatable {
    /// What a switch is to become.
    package enum Order: String, Sendable, CaseIterable {
        case on
        case off
        case toggle
    }

    package enum Volume: Sendable, Equatable {
        case percent(Int)
        case up
        case down
    }

    case status
    /// The part of the status that a person at the device cares about; cheap enough to be asked often.
    case state
    /// `on`: muted.
    case mute(Order)
    case camera(Order)
    case switchCamera
    /// Nobody named: the configured targets.
    case call([ParticipantID])
    case answer
    case decline
    case hangUp
    /// Push to talk: speaks while on.
    case talk(Bool)
    case requestToSpeak
    case acceptToSpeak(ParticipantID)
    case rejectToSpeak(ParticipantID)
    case volume(Volume)
    case lines
    /// Presses a simulated button and lets it go after a time.
    case pressLine(String, Interval)
    case setLine(String, Bool)
    case openRelay(String?)
    /// A command to another participant: `mute`, `camera-off`, `switch-camera`, `remove`, `open-relay`, `show-text`,
    /// `set-volume`.
    case tell(ParticipantID, RoomCommand)
    /// The process ends, to be started again, when nobody talks; at the latest after this time.
    case restartWhenIdle(within: Interval)

    /// Longer than any long press, shorter than a stuck button.
    static let longestPress = Interval.seconds(30)
    static let usualPress = Interval.milliseconds(150)

    /// - Errors: words for the person who typed it.
    package init(_ json: JSONValue) throws(ControlRequestError) {
        guard let command = json["command"]?.string else { throw ControlRequestError("no command is named") }
        switch command {
        case "status": self = .status
        case "state": self = .state
        case "mute": self = .mute(try ControlRequest.order(json))
        case "camera": self = .camera(try ControlRequest.order(json))
        case "switch-camera": self = .switchCamera
        case "call": self = .call(try ControlRequest.participants(json))
        case "answer": self = .answer
        case "decline": self = .decline
        case "hang-up": self = .hangUp
        case "talk": self = .talk(try ControlRequest.flag(json))
        case "request-to-speak": self = .requestToSpeak
        case "accept": self = .acceptToSpeak(try ControlRequest.text(json, "participant"))
        case "reject": self = .rejectToSpeak(try ControlRequest.text(json, "participant"))
        case "volume": self = .volume(try ControlRequest.volume(json))
        case "lines": self = .lines
        case "line-press":
            self = .pressLine(try ControlRequest.text(json, "line"), try ControlRequest.pressTime(json))
        case "line-set": self = .setLine(try ControlRequest.text(json, "line"), try ControlRequest.flag(json))
        case "relay": self = .openRelay(json["relay"]?.string)
        case "tell":
            self = .tell(try ControlRequest.text(json, "participant"), try ControlRequest.roomCommand(json))
        case "restart-when-idle": self = .restartWhenIdle(within: try ControlRequest.restartDelay(json))
        default: throw ControlRequestError("there is no command '\(command.prefix(40))'")
        }
    }

    private static func text(_ json: JSONValue, _ key: String) throws(ControlRequestError) -> String {
        guard let text = json[key]?.string, (1...64).contains(text.utf8.count) else {
            throw ControlRequestError("\(key) is missing")
        }
        return text
    }

    private static func order(_ json: JSONValue) throws(ControlRequestError) -> Order {
        guard let text = json["to"]?.string else { return .toggle }
        guard let order = Order(rawValue: text) else {
            throw ControlRequestError("'\(text.prefix(40))': on, off or toggle is needed")
        }
        return order
    }

    private static func flag(_ json: JSONValue) throws(ControlRequestError) -> Bool {
        switch json["to"]?.string {
        case "on": return true
        case "off": return false
        default: throw ControlRequestError("on or off is needed")
        }
    }

    private static func participants(_ json: JSONValue) throws(ControlRequestError) -> [ParticipantID] {
        let ids = (json["participants"]?.array ?? []).compactMap(\.string)
        guard ids.count <= 8, ids.allSatisfy({ (1...64).contains($0.utf8.count) }) else {
            throw ControlRequestError("one to eight participants can be called")
        }
        return ids
    }

    private static func volume(_ json: JSONValue) throws(ControlRequestError) -> Volume {
        if let percent = json["to"]?.integer, (0...100).contains(percent) { return .percent(Int(percent)) }
        switch json["to"]?.string {
        case "up": return .up
        case "down": return .down
        default: throw ControlRequestError("a volume is up, down, or 0 to 100")
        }
    }

    private static func pressTime(_ json: JSONValue) throws(ControlRequestError) -> Interval {
        guard let milliseconds = json["milliseconds"]?.integer else { return usualPress }
        let time = Interval.milliseconds(min(max(0, milliseconds), 1_000_000))
        guard time >= .milliseconds(1), time <= longestPress else {
            throw ControlRequestError("a press takes 1 to \(longestPress.milliseconds) milliseconds")
        }
        return time
    }

    private static func restartDelay(_ json: JSONValue) throws(ControlRequestError) -> Interval {
        let longest = EndpointSupervisor.longestRestartDelay
        guard let value = json["seconds"] else { return longest }
        guard let seconds = value.integer, (0...86_400).contains(seconds) else {
            throw ControlRequestError("a restart waits 0 to 86400 seconds")
        }
        return .seconds(seconds)
    }

    private static func roomCommand(_ json: JSONValue) throws(ControlRequestError) -> RoomCommand {
        let name = try text(json, "order")
        switch name {
        case "mute": return .mute
        case "camera-off": return .cameraOff
        case "switch-camera": return .switchCamera
        case "remove": return .removeParticipant(try text(json, "participant"), text: json["text"]?.string)
        case "open-relay": return .openRelay(name: json["relay"]?.string, duration: nil)
        case "show-text": return .showText(String((json["text"]?.string ?? "").prefix(200)), seconds: 10)
        case "set-volume":
            guard let percent = json["to"]?.integer, (0...100).contains(percent) else {
                throw ControlRequestError("a volume is 0 to 100")
            }
            return .setVolume(percent: Int(percent))
        default: throw ControlRequestError("there is no order '\(name)' for another participant")
        }
    }
}

/// What is wrong with a request over the control socket.
package struct ControlRequestError: Error, Sendable, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}
