import Configuration
import Devices
import Endpoint
import Panel

/// `callbox release`
///
/// Takes every configured output, sets it inactive and lets it go, so that a door does not stay open after a process that
/// was killed. Lines that an endpoint holds stay as they are.
enum ReleaseCommand {
    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(words, options: ["config"])
            guard let path = arguments.options["config"] else {
                throw Arguments.Problem(text: "--config FILE is needed")
            }
            return release(path)
        } catch {
            Output.error("callbox release: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func release(_ path: String) -> Int32 {
        let settings: PanelSettings
        do throws(ConfigurationProblems) {
            settings = PanelSettings(try Configuration.load(path))
        } catch {
            Output.error("\(error)")
            return ExitCode.configuration
        }
        let opener = LineOpener(simulated: SimulatedLines())
        var code = ExitCode.success
        let outputs =
            settings.relays.map { (name: $0.name, line: $0.line) }
            + settings.leds.map { (name: $0.name, line: $0.line) }
        for output in outputs {
            do throws(DeviceError) {
                // Opening an output makes it inactive.
                try opener.openOutput(output.line).close()
            } catch {
                Output.error("callbox release: \(output.name): \(error)")
                code = ExitCode.failure
            }
        }
        return code
    }
}
