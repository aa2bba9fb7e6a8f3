import CALSA
import CDeviceShims
import Glibc
import MediaTypes
import Realtime

/// One open ALSA PCM: negotiation, waiting with a limit, and recovery from what can be recovered.
///
/// - Thread: one at a time. After `init` nothing here allocates, except in errors.
final class ALSAStream {
    /// No call gives the device more time in all.
    static let patience = Interval.seconds(Int64(1))

    /// As in the specifier.
    let name: String
    let isCapture: Bool
    let settings: ALSASettings
    let handle: OpaquePointer
    private var isOpen = true
    /// Breaks in the sound since the start.
    private(set) var interruptionCount = 0

    /// Opens the first of the candidates that exists and can be used.
    init(specifier: DeviceSpecifier, isCapture: Bool) throws(DeviceError) {
        ccb_alsa_capture_messages()
        name = specifier.text
        self.isCapture = isCapture
        (handle, settings) = try ALSAStream.open(specifier, isCapture: isCapture)
    }

    private static func open(
        _ specifier: DeviceSpecifier, isCapture: Bool
    ) throws(DeviceError) -> (OpaquePointer, ALSASettings) {
        guard specifier.text == "default" else {
            let candidates = try ALSAName.candidates(
                for: specifier, isCapture: isCapture, cardNamed: { ALSACard.named($0) })
            return try open(firstOf: candidates, specifier, isCapture: isCapture)
        }
        let candidates = ALSAName.defaults(
            among: ALSACard.all(), isCapture: isCapture, isConfigured: ALSADefault.isConfigured)
        var problem: DeviceError?
        for candidate in candidates {
            do {
                return try open(firstOf: [candidate], specifier, isCapture: isCapture)
            } catch {
                // What somebody else uses now is free again later, and is the right one still.
                if case .busy = error { throw error }
                // The first one is the one that should have been it.
                problem = problem ?? error
            }
        }
        throw problem ?? .missing(name: specifier.text)
    }

    private static func open(
        firstOf candidates: [String], _ specifier: DeviceSpecifier, isCapture: Bool
    ) throws(DeviceError) -> (OpaquePointer, ALSASettings) {
        var problem = DeviceError.missing(name: specifier.text)
        for candidate in candidates {
            let handle = try ALSAOpening.open(candidate, name: specifier.text, isCapture: isCapture)
            do {
                return (handle, try ALSANegotiation.negotiate(handle, name: specifier.text, isCapture: isCapture))
            } catch {
                snd_pcm_close(handle)
                problem = error
            }
        }
        throw problem
    }

    deinit {
        close()
    }

    /// Closes the PCM at once; what is queued is dropped.
    func close() {
        guard isOpen else { return }
        isOpen = false
        snd_pcm_drop(handle)
        snd_pcm_close(handle)
    }

    /// Starts a prepared PCM.
    func start() throws(DeviceError) {
        let result = snd_pcm_start(handle)
        guard result < 0 else { return }
        // Already running: a plug-in may start by itself.
        guard snd_pcm_state(handle) != SND_PCM_STATE_RUNNING else { return }
        throw failure(result, "start")
    }

    /// Waits a little for data or room.
    ///
    /// - Returns: 0, or what `recover` takes.
    /// - Errors: `stalled` when the patience is at its end.
    func wait(_ patience: inout Patience) throws(DeviceError) -> Int {
        let before = MonotonicClock.now()
        guard patience.holds(at: before) else { throw .stalled(name: name) }
        let result = snd_pcm_wait(handle, Int32(Patience.longestWait.milliseconds))
        if result == 0 || result == -EINTR || result == -EAGAIN { return 0 }
        if result > 0, MonotonicClock.now() - before < .microseconds(100) {
            // A dead device may answer at once, again and again: no busy loop.
            MonotonicClock.sleep(until: before + .milliseconds(1))
        }
        return result > 0 ? 0 : Int(result)
    }

    /// Makes the PCM ready to start again after a negative result of a call.
    ///
    /// - Errors: what cannot be recovered.
    func recover(_ result: Int, _ operation: String, _ patience: inout Patience) throws(DeviceError) {
        interruptionCount += 1
        switch -Int32(truncatingIfNeeded: result) {
        case EPIPE:
            try prepare()
        case ESTRPIPE:
            try resume(&patience)
        case EBADFD, EIO:
            // The wrong state: suspended on the way, stopped by somebody else, or unplugged.
            switch snd_pcm_state(handle) {
            case SND_PCM_STATE_DISCONNECTED: throw .gone(name: name)
            case SND_PCM_STATE_SUSPENDED: try resume(&patience)
            default: try prepare()
            }
        default:
            throw failure(Int32(truncatingIfNeeded: result), operation)
        }
        // A device that breaks again at once must not keep the thread busy.
        guard patience.holds(at: MonotonicClock.now()) else { throw .stalled(name: name) }
    }

    /// The error that a negative result stands for.
    func failure(_ result: Int32, _ operation: String) -> DeviceError {
        if snd_pcm_state(handle) == SND_PCM_STATE_DISCONNECTED { return .gone(name: name) }
        return switch -result {
        case ENODEV, ENXIO, ESHUTDOWN, EPIPE: .gone(name: name)
        default: .system(name: name, operation: operation, code: -result)
        }
    }

    private func prepare() throws(DeviceError) {
        let result = snd_pcm_prepare(handle)
        guard result < 0 else { return }
        throw failure(result, "prepare")
    }

    private func resume(_ patience: inout Patience) throws(DeviceError) {
        while true {
            let result = snd_pcm_resume(handle)
            if result == 0 { break }
            // -EAGAIN: the bus is not awake yet. Others: the driver cannot resume, so the buffer is lost.
            guard result == -EAGAIN, patience.holds(at: MonotonicClock.now()) else { break }
            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(20))
        }
        // Resumed or not, the sound was interrupted: begin with an empty buffer.
        snd_pcm_drop(handle)
        try prepare()
    }
}
