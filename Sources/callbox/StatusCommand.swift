import Configuration
import Endpoint
import Glibc
import JSONText

/// `callbox status`
enum StatusCommand {
    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(words, options: ["socket", "config"], flags: ["json"])
            let isJSON = arguments.flags.contains("json")
            if let path = arguments.options["socket"] { return show(path: path, isJSON: isJSON) }
            return show(path: try controlPath(arguments.options["config"]), isJSON: isJSON)
        } catch {
            Output.error("callbox status: \(error.text)")
            return ExitCode.usage
        }
    }

    /// The service's socket when there is one, else the one that an endpoint of this user would make.
    private static func controlPath(_ configurationPath: String?) throws(Arguments.Problem) -> String {
        guard let configurationPath else {
            let service = "/run/callbox/control.sock"
            return access(service, F_OK) == 0 ? service : Configuration().control.path
        }
        do throws(ConfigurationProblems) {
            return try Configuration.load(configurationPath).control.path
        } catch {
            throw Arguments.Problem(text: "\(error)")
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
