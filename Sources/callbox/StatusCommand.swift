import Endpoint
import JSONText

/// `callbox status`
enum StatusCommand {
    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(words, options: ["socket", "config"], flags: ["json"])
            let isJSON = arguments.flags.contains("json")
            return show(path: try ControlPath.resolve(arguments), isJSON: isJSON)
        } catch {
            Output.error("callbox status: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func show(path: String, isJSON: Bool) -> Int32 {
        do throws(ControlError) {
            let status = try ControlClient.ask(path: path, request: ["command": "status"])
            if let problem = status["error"]?.string {
                Output.error("callbox status: \(problem)")
                return ExitCode.failure
            }
            Output.line(isJSON ? status.text(pretty: true) : StatusText.text(of: status))
            return ExitCode.success
        } catch {
            Output.error("callbox status: \(error)")
            return ExitCode.failure
        }
    }
}
