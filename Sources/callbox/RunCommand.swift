import Configuration
import Endpoint
import MediaTypes
import Realtime
import Synchronization
import Telemetry

/// `callbox run`
enum RunCommand {
    /// After this long a leave that hangs is given up: the service manager must not have to kill.
    static let leaveLimitMilliseconds = 900

    static func run(_ words: [String]) -> Int32 {
        let startTime = ProcessUsage.startTime(now: MonotonicClock.now())
        do throws(Arguments.Problem) {
            let arguments = try Arguments(words, options: ["config"])
            guard let path = arguments.options["config"] else {
                throw Arguments.Problem(text: "--config FILE is needed")
            }
            return serve(path, startTime: startTime)
        } catch {
            Output.error("callbox run: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func serve(_ path: String, startTime: MonotonicTime) -> Int32 {
        let configuration: Configuration
        do throws(ConfigurationProblems) {
            configuration = try Configuration.load(path)
        } catch {
            Output.error("\(error)")
            return ExitCode.configuration
        }
        if let level = LogLevel(name: configuration.log.level.rawValue) { Log.level = level }
        let signals = Signals()
        let appliance: Appliance
        do throws(ApplianceError) {
            appliance = try Appliance(configuration, startTime: startTime)
        } catch {
            Output.error("callbox run: \(error)")
            if case .configuration = error { return ExitCode.configuration }
            return ExitCode.failure
        }
        let isDone = Flag()
        Task {
            await appliance.run()
            isDone.value.store(true, ordering: .releasing)
        }
        return wait(for: appliance, isDone: isDone, signals: signals)
    }

    private static func wait(for appliance: Appliance, isDone: Flag, signals: Signals) -> Int32 {
        while signals.wait(milliseconds: 60_000) == nil {
            if isDone.value.load(ordering: .acquiring) { return ExitCode.failure }
        }
        appliance.leave()
        let deadline = MonotonicClock.now() + .milliseconds(Int64(leaveLimitMilliseconds))
        while !isDone.value.load(ordering: .acquiring) {
            guard MonotonicClock.now() < deadline else {
                Log.warning("endpoint", "leaving took too long; ending without it")
                return ExitCode.failure
            }
            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(5))
        }
        return ExitCode.success
    }

    private final class Flag: Sendable {
        let value = Atomic<Bool>(false)
    }
}
