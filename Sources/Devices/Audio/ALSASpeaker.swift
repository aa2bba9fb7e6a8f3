import CALSA
import Glibc
import MediaTypes
import Realtime

/// A speaker of an ALSA card or any other playback PCM.
///
/// However long the hardware's buffer is, only two periods (20 ms, or two of the hardware's own if those are longer)
/// are kept in it; more when the thread proves to be late. A start and a restart begin with that much silence.
final class ALSASpeaker: AudioPlaybackDevice {
    private let stream: ALSAStream
    private let buffer: PlaybackPeriodBuffer
    private var target: PlaybackQueueTarget
    private let silence: UnsafeMutableRawBufferPointer
    private var isRunning = false

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        stream = try ALSAStream(specifier: specifier, isCapture: false)
        let settings = stream.settings
        do {
            buffer = try PlaybackPeriodBuffer(
                sampleRateHz: settings.sampleRateHz, channelCount: settings.channelCount, format: settings.format)
        } catch {
            throw .unsupported(name: specifier.text, reason: "its rate of \(settings.sampleRateHz) Hz is not possible")
        }
        let step = max(settings.periodFrames, buffer.periodFrames)
        target = PlaybackQueueTarget(shortest: 2 * step, longest: settings.bufferFrames, step: step)
        silence = .allocate(byteCount: settings.bufferFrames * buffer.frameByteCount, alignment: 16)
        silence.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        silence.deallocate()
    }

    var name: String { stream.name }
    var settings: ALSASettings { stream.settings }
    var interruptionCount: Int { stream.interruptionCount }
    /// Frames of the device's rate that are kept queued at most.
    var targetFrames: Int { target.frames }

    func write(_ period: UnsafeBufferPointer<Int16>) throws(DeviceError) {
        let start = MonotonicClock.now()
        var patience = Patience(ALSAStream.patience, at: start)
        target.advance(to: start)
        let frames = buffer.convert(period)
        while true {
            let result = try queue(frames, &patience)
            if result == 0 { return }
            isRunning = false
            try stream.recover(result, "write", &patience)
            target.interrupted(at: MonotonicClock.now())
        }
    }

    /// Queues the first `frames` frames of the buffer, and starts the PCM if it does not run.
    ///
    /// - Returns: 0, or what `recover` takes.
    private func queue(_ frames: Int, _ patience: inout Patience) throws(DeviceError) -> Int {
        if isRunning {
            let result = try waitForRoom(frames, &patience)
            return result < 0 ? result : try put(UnsafeRawBufferPointer(buffer.native), frames, &patience)
        }
        var result = try put(UnsafeRawBufferPointer(silence), max(0, target.frames - frames), &patience)
        if result == 0 { result = try put(UnsafeRawBufferPointer(buffer.native), frames, &patience) }
        if result == 0 {
            try stream.start()
            isRunning = true
        }
        return result
    }

    /// Sleeps until the queue is so short that `frames` more make it as long as it should be.
    private func waitForRoom(_ frames: Int, _ patience: inout Patience) throws(DeviceError) -> Int {
        while true {
            let available = snd_pcm_avail(stream.handle)
            guard available >= 0 else { return Int(available) }
            let excess = stream.settings.bufferFrames - Int(available) - (target.frames - frames)
            guard excess > 0 else { return 0 }
            let now = MonotonicClock.now()
            guard patience.holds(at: now) else { throw .stalled(name: name) }
            // Where the hardware tells its position only once per period, this asks again each millisecond.
            let time = Interval.nanoseconds(Int64(excess) * 1_000_000_000 / Int64(stream.settings.sampleRateHz))
            MonotonicClock.sleep(until: now + min(max(time, .milliseconds(1)), Patience.longestWait))
        }
    }

    private func put(
        _ bytes: UnsafeRawBufferPointer, _ frames: Int, _ patience: inout Patience
    ) throws(DeviceError) -> Int {
        var done = 0
        while done < frames {
            let start = bytes.baseAddress.map { $0 + done * buffer.frameByteCount }
            let result = snd_pcm_writei(stream.handle, start, snd_pcm_uframes_t(frames - done))
            if result > 0 {
                done += Int(result)
            } else if result == 0 || result == -Int(EAGAIN) {
                let waited = try stream.wait(&patience)
                if waited < 0 { return waited }
            } else {
                return Int(result)
            }
        }
        return 0
    }

    var delayFrames: Int {
        var queued: snd_pcm_sframes_t = 0
        if snd_pcm_delay(stream.handle, &queued) != 0 || queued < 0 { queued = 0 }
        return Int(queued) * AudioFormat.pipeline.sampleRateHz / stream.settings.sampleRateHz + buffer.delayFrames
    }

    func close() {
        stream.close()
    }
}
