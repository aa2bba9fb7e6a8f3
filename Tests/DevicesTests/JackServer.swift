import Glibc
import MediaTypes
import Realtime

/// A JACK server with its dummy driver: sound hardware with a real clock, without hardware.
///
/// What is played to PCM `callbox-out` is captured from PCM `callbox-in`, by ALSA's JACK plug-in. Needs the Debian
/// packages jackd2 and libasound2-plugins.
final class JackServer {
    private let process: pid_t
    private var isRunning = true

    /// Starts a server; it is ready when this returns.
    init(sampleRateHz: Int, periodFrames: Int = 480, channelCount: Int = 1) {
        let folder = TestSoundSystem.folder
        TestSoundSystem.configure(channelCount: channelCount)
        let ports = "\(channelCount)"
        let arguments = [
            "jackd", "-n", TestSoundSystem.jackName, "-r", "-d", "dummy", "-r", "\(sampleRateHz)", "-p",
            "\(periodFrames)", "-C", ports, "-P", ports,
        ]
        process = ChildProcess.start(arguments, logFile: "\(folder.path)/jackd.log")
        // It is ready when a client may connect.
        let deadline = MonotonicClock.now() + .seconds(Int64(60))
        while ChildProcess.run(["jack_lsp", "-s", TestSoundSystem.jackName]) != 0 {
            precondition(
                MonotonicClock.now() < deadline,
                "jackd does not start (packages jackd2, libasound2-plugins): "
                    + String(decoding: folder.read("jackd.log"), as: UTF8.self))
            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(100))
        }
    }

    deinit {
        stop(SIGTERM)
    }

    /// Ends the server; SIGKILL is what a driver that crashes looks like.
    func stop(_ signal: Int32) {
        guard isRunning else { return }
        isRunning = false
        kill(process, signal)
        ChildProcess.wait(process)
    }

    /// Lets the server stand still for a while: hardware that does nothing.
    func pause(_ time: Interval) {
        kill(process, SIGSTOP)
        MonotonicClock.sleep(until: MonotonicClock.now() + time)
        kill(process, SIGCONT)
    }
}
