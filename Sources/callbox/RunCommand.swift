import Configuration
import Endpoint
import Glibc
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
        let manager = ServiceManager()
        manager?.tell(status: "starting")
        let appliance: Appliance
        do throws(ApplianceError) {
            // Ended for a restart as by a signal; the service manager starts the program again, whatever its code.
            let hooks = ServiceHooks(
                status: { manager?.tell(status: $0) }, restart: { kill(getpid(), SIGTERM) })
            appliance = try Appliance(configuration, startTime: startTime, hooks: hooks)
        } catch {
            Output.error("callbox run: \(error)")
            manager?.tell(status: "\(error)")
            if case .configuration = error { return ExitCode.configuration }
            return ExitCode.failure
        }
        let isDone = Flag()
        Task {
            await appliance.run()
            isDone.value.store(true, ordering: .releasing)
        }
        return wait(for: appliance, isDone: isDone, signals: signals, manager: manager)
    }

    private static func wait(
        for appliance: Appliance, isDone: Flag, signals: Signals, manager: ServiceManager?
    ) -> Int32 {
        var watch = manager.map { ServiceWatch($0) }
        var milliseconds = 0
        while signals.wait(milliseconds: milliseconds) == nil {
            if isDone.value.load(ordering: .acquiring) { return ExitCode.failure }
            watch?.turn(now: MonotonicClock.now())
            milliseconds = Int((watch?.interval ?? .seconds(60)).milliseconds)
        }
        manager?.tellStopping()
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
