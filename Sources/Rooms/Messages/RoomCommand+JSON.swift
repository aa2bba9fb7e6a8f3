import Calls
import JSONText
import MediaTypes

extension RoomCommand {
    static let relayRange: ClosedRange<Int64> = 1...60_000
    static let secondsRange: ClosedRange<Int64> = 1...3_600

    /// - Parameter data: `extended_data`.
    /// - Returns: nil when something is missing or outside its bounds.
    init?(_ kind: Kind, _ data: MessageBounds) {
        switch kind {
        case .applyToSpeak: self = .applyToSpeak
        case .cancelApplication: self = .cancelApplication
        case .acceptToSpeak: self = .acceptToSpeak
        case .rejectToSpeak: self = .rejectToSpeak
        case .mute: self = .mute
        case .cameraOff: self = .cameraOff
        case .switchCamera: self = .switchCamera
        case .done: self = .done
        case .removeParticipant:
            let text = data.text("text")
            guard let id = data.id("participant_id"), text != nil || data.isMissing("text") else { return nil }
            self = .removeParticipant(id, text: text)
        case .openRelay:
            let name = data.id("name")
            let milliseconds = data.integer("duration_ms", in: RoomCommand.relayRange)
            guard name != nil || data.isMissing("name"), milliseconds != nil || data.isMissing("duration_ms") else {
                return nil
            }
            self = .openRelay(name: name, duration: milliseconds.map { .milliseconds($0) })
        case .showText:
            guard let text = data.text("text"), let seconds = data.integer("seconds", in: RoomCommand.secondsRange)
            else { return nil }
            self = .showText(text, seconds: Int(seconds))
        case .setVolume:
            guard let percent = data.integer("percent", in: 0...100) else { return nil }
            self = .setVolume(percent: Int(percent))
        case .refused:
            guard let text = data.text("text") else { return nil }
            self = .refused(text)
        }
    }

    /// `extended_data`, texts cut to their bounds; empty when the command needs none.
    var data: [String: JSONValue] {
        switch self {
        case .applyToSpeak, .cancelApplication, .acceptToSpeak, .rejectToSpeak, .mute, .cameraOff, .switchCamera, .done:
            return [:]
        case .removeParticipant(let id, let text):
            var data: [String: JSONValue] = ["participant_id": .string(id)]
            if let text { data["text"] = .string(MessageBounds.clipped(text)) }
            return data
        case .openRelay(let name, let duration):
            var data: [String: JSONValue] = [:]
            if let name { data["name"] = .string(name) }
            if let duration { data["duration_ms"] = .integer(duration.milliseconds) }
            return data
        case .showText(let text, let seconds):
            return ["text": .string(MessageBounds.clipped(text)), "seconds": .integer(Int64(seconds))]
        case .setVolume(let percent): return ["percent": .integer(Int64(percent))]
        case .refused(let text): return ["text": .string(MessageBounds.clipped(text))]
        }
    }
}
