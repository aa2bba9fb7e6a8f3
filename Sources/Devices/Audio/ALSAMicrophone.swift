import CALSA
import Glibc
import MediaTypes
import Realtime

/// A microphone of an ALSA card or any other capture PCM.
///
/// The hardware's buffer holds 100 ms, which a late reader may use up; its latency is only what is read at once.
final class ALSAMicrophone: AudioCaptureDevice {
    private let stream: ALSAStream
    private let buffer: CapturePeriodBuffer
    private var isRunning = false

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        stream = try ALSAStream(specifier: specifier, isCapture: true)
        let settings = stream.settings
        do {
            buffer = try CapturePeriodBuffer(
                sampleRateHz: settings.sampleRateHz, channelCount: settings.channelCount, format: settings.format,
                nativeCapacity: max(settings.periodFrames, settings.sampleRateHz / 100))
        } catch {
            throw .unsupported(name: specifier.text, reason: "its rate of \(settings.sampleRateHz) Hz is not possible")
        }
    }

    var name: String { stream.name }
    var settings: ALSASettings { stream.settings }
    var interruptionCount: Int { stream.interruptionCount }

    func read(into period: UnsafeMutableBufferPointer<Int16>) throws(DeviceError) -> MonotonicTime {
        var patience = Patience(ALSAStream.patience, at: MonotonicClock.now())
        while buffer.count < AudioFormat.pipelinePeriodFrames {
            if !isRunning {
                try stream.start()
                isRunning = true
            }
            let result = snd_pcm_readi(
                stream.handle, buffer.native.baseAddress, snd_pcm_uframes_t(buffer.nativeCapacity))
            if result > 0 {
                buffer.accept(Int(result))
            } else if result == 0 || result == -Int(EAGAIN) {
                let waited = try stream.wait(&patience)
                if waited < 0 { try restart(after: waited, &patience) }
            } else {
                try restart(after: Int(result), &patience)
            }
        }
        let time = MonotonicClock.now() - age
        buffer.take(into: period)
        return time
    }

    func close() {
        stream.close()
    }

    /// How long ago the oldest frame in the buffer was captured.
    private var age: Interval {
        var waiting: snd_pcm_sframes_t = 0
        // What is still in the hardware is younger than what was read.
        if snd_pcm_delay(stream.handle, &waiting) != 0 || waiting < 0 { waiting = 0 }
        let native = Int64(waiting) * 1_000_000_000 / Int64(stream.settings.sampleRateHz)
        let pipeline = Int64(buffer.delayFrames) * 1_000_000_000 / Int64(AudioFormat.pipeline.sampleRateHz)
        return .nanoseconds(native + pipeline)
    }

    private func restart(after result: Int, _ patience: inout Patience) throws(DeviceError) {
        isRunning = false
        try stream.recover(result, "read", &patience)
        buffer.reset()
    }
}
