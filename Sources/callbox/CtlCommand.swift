import Endpoint
import JSONText

/// `callbox ctl`: does what a button would do, over the control socket.
enum CtlCommand {
    static let usage = """
        callbox ctl [--config FILE | --socket PATH] COMMAND
          state                        the call, the switches, who is there
          mute [on|off|toggle]         the microphone
          camera [on|off|toggle]       the camera; off closes it
          switch-camera                to the next configured camera
          call [ID…]                   ring these participants, or the configured ones
          answer | decline | hang-up   the call
          talk on|off                  push to talk
          request-to-speak             as audience; again to take it back or to stop
          accept ID | reject ID        a request to speak
          volume N|up|down             0 to 100
          relay [NAME]                 open it for its pulse time
          lines                        buttons, LEDs and relays
          restart-when-idle [--within SECONDS]
                                       ends when nobody talks, to be started again; after an upgrade
          line press NAME [--ms N]     press a simulated button
          line set NAME on|off         hold it, let it go
          tell ID mute|camera-off|switch-camera|remove [TEXT]|open-relay [NAME]|show-text TEXT|set-volume N
        """

    static func run(_ words: [String]) -> Int32 {
        if words == ["help"] || words == ["--help"] {
            Output.line(usage)
            return ExitCode.success
        }
        do throws(Arguments.Problem) {
            let arguments = try Arguments(
                words, options: ["socket", "config", "ms", "within"], flags: ["json"], maximumRest: 12)
            let request = try request(arguments)
            let path = try ControlPath.resolve(arguments)
            return ask(path, request, isJSON: arguments.flags.contains("json"))
        } catch {
            Output.error("callbox ctl: \(error.text)\n\(usage)")
            return ExitCode.usage
        }
    }

    /// The request that the words stand for; the endpoint judges the values.
    private static func request(_ arguments: Arguments) throws(Arguments.Problem) -> JSONValue {
        var rest = arguments.rest[...]
        guard let name = rest.popFirst() else { throw Arguments.Problem(text: "a command is needed") }
        var members: [String: JSONValue] = ["command": .string(name)]
        switch name {
        case "state", "answer", "decline", "hang-up", "switch-camera", "request-to-speak", "lines": break
        case "restart-when-idle":
            if let seconds = try arguments.integer("within", 0...86_400) {
                members["seconds"] = .integer(Int64(seconds))
            }
        case "mute", "camera": members["to"] = .string(rest.popFirst() ?? "toggle")
        case "talk": members["to"] = .string(try next(&rest, "on or off"))
        case "volume":
            let value = try next(&rest, "a volume")
            members["to"] = Int64(value).map { .integer($0) } ?? .string(value)
        case "call":
            members["participants"] = .array(rest.map { .string($0) })
            rest = []
        case "accept", "reject": members["participant"] = .string(try next(&rest, "a participant"))
        case "relay": members["relay"] = rest.popFirst().map { .string($0) }
        case "line":
            let verb = try next(&rest, "press or set")
            members["line"] = .string(try next(&rest, "a line"))
            switch verb {
            case "press":
                members["command"] = "line-press"
                if let time = try arguments.integer("ms", 1...30_000) {
                    members["milliseconds"] = .integer(Int64(time))
                }
            case "set":
                members["command"] = "line-set"
                members["to"] = .string(try next(&rest, "on or off"))
            default: throw Arguments.Problem(text: "line \(verb): press or set is needed")
            }
        case "tell":
            members["participant"] = .string(try next(&rest, "a participant"))
            let order = try next(&rest, "an order")
            members["order"] = .string(order)
            if let value = rest.popFirst() {
                switch order {
                case "open-relay": members["relay"] = .string(value)
                case "set-volume": members["to"] = Int64(value).map { .integer($0) } ?? .string(value)
                default:
                    members["text"] = .string(([value] + rest).joined(separator: " "))
                    rest = []
                }
            }
        default: throw Arguments.Problem(text: "no command '\(name)'")
        }
        if let left = rest.first { throw Arguments.Problem(text: "'\(left)' is one word too many") }
        return .object(members)
    }

    private static func next(_ rest: inout ArraySlice<String>, _ what: String) throws(Arguments.Problem) -> String {
        guard let word = rest.popFirst() else { throw Arguments.Problem(text: "\(what) is needed") }
        return word
    }

    private static func ask(_ path: String, _ request: JSONValue, isJSON: Bool) -> Int32 {
        do throws(ControlError) {
            let answer = try ControlClient.ask(path: path, request: request)
            if let problem = answer["error"]?.string {
                Output.error("callbox ctl: \(problem)")
                return ExitCode.failure
            }
            Output.line(isJSON ? answer.text(pretty: true) : CtlText.text(of: answer))
            return ExitCode.success
        } catch {
            Output.error("callbox ctl: \(error)")
            return ExitCode.failure
        }
    }
}
