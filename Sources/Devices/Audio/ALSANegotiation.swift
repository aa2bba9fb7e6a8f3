import CALSA
import Glibc
import MediaTypes

/// Agrees with a PCM on the parameters next to the pipeline's: 48 kHz, mono, 16 bits, periods of 10 ms.
enum ALSANegotiation {
    private static let formats: [(snd_pcm_format_t, SampleFormat)] = [
        (SND_PCM_FORMAT_S16_LE, .int16), (SND_PCM_FORMAT_S32_LE, .int32), (SND_PCM_FORMAT_S24_LE, .int24In32),
        (SND_PCM_FORMAT_S24_3LE, .int24Packed), (SND_PCM_FORMAT_FLOAT_LE, .float32),
    ]
    /// Capture: what the reader may be late by. Playback: what the queue may be widened to.
    private static let bufferPeriods = 10

    static func negotiate(
        _ handle: OpaquePointer, name: String, isCapture: Bool
    ) throws(DeviceError) -> ALSASettings {
        let settings = try setHardware(handle, name: name)
        try setSoftware(handle, settings, name: name, isCapture: isCapture)
        return settings
    }

    private static func setHardware(_ handle: OpaquePointer, name: String) throws(DeviceError) -> ALSASettings {
        var allocated: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&allocated) == 0, let parameters = allocated else {
            throw .system(name: name, operation: "allocate", code: ENOMEM)
        }
        defer { snd_pcm_hw_params_free(parameters) }
        func check(_ result: Int32, _ what: String) throws(DeviceError) {
            guard result < 0 else { return }
            if result == -ENODEV { throw .gone(name: name) }
            throw .unsupported(name: name, reason: "\(what): \(DeviceError.text(ofCode: -result))")
        }
        try check(snd_pcm_hw_params_any(handle, parameters), "it has no parameters")
        // ALSA's own resampler is a linear one; ours is better.
        snd_pcm_hw_params_set_rate_resample(handle, parameters, 0)
        try check(
            snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED), "no interleaved access")
        guard
            let (pcmFormat, format) = formats.first(where: {
                snd_pcm_hw_params_test_format(handle, parameters, $0.0) == 0
            })
        else { throw .unsupported(name: name, reason: "it has no 16, 24 or 32-bit samples") }
        try check(snd_pcm_hw_params_set_format(handle, parameters, pcmFormat), "sample format")
        var channelCount: UInt32 = 1
        try check(snd_pcm_hw_params_set_channels_near(handle, parameters, &channelCount), "channels")
        var rate = UInt32(AudioFormat.pipeline.sampleRateHz)
        try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil), "rate")
        var periodFrames = snd_pcm_uframes_t(rate / 100)
        try check(snd_pcm_hw_params_set_period_size_near(handle, parameters, &periodFrames, nil), "period")
        var bufferFrames = max(snd_pcm_uframes_t(rate) / 100 * snd_pcm_uframes_t(bufferPeriods), 2 * periodFrames)
        try check(snd_pcm_hw_params_set_buffer_size_near(handle, parameters, &bufferFrames), "buffer")
        try check(snd_pcm_hw_params(handle, parameters), "these parameters together")
        snd_pcm_hw_params_get_period_size(parameters, &periodFrames, nil)
        snd_pcm_hw_params_get_buffer_size(parameters, &bufferFrames)
        guard (4_000...192_000).contains(rate), (1...64).contains(channelCount), periodFrames > 0,
            bufferFrames >= 2 * periodFrames, bufferFrames <= 4_000_000
        else {
            throw .unsupported(
                name: name, reason: "it wants \(rate) Hz, \(channelCount) channels, a buffer of \(bufferFrames) frames")
        }
        return ALSASettings(
            sampleRateHz: Int(rate), channelCount: Int(channelCount), format: format, periodFrames: Int(periodFrames),
            bufferFrames: Int(bufferFrames))
    }

    private static func setSoftware(
        _ handle: OpaquePointer, _ settings: ALSASettings, name: String, isCapture: Bool
    ) throws(DeviceError) {
        var allocated: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&allocated) == 0, let parameters = allocated else {
            throw .system(name: name, operation: "allocate", code: ENOMEM)
        }
        defer { snd_pcm_sw_params_free(parameters) }
        var boundary: snd_pcm_uframes_t = 0
        snd_pcm_sw_params_current(handle, parameters)
        snd_pcm_sw_params_get_boundary(parameters, &boundary)
        // Both directions are started by `start`, not by the first frames.
        snd_pcm_sw_params_set_start_threshold(handle, parameters, boundary)
        // A reader waits for 10 ms or a period, whichever is less; a writer for that much room.
        let wanted = min(settings.periodFrames, max(1, settings.sampleRateHz / 100))
        snd_pcm_sw_params_set_avail_min(handle, parameters, snd_pcm_uframes_t(wanted))
        let result = snd_pcm_sw_params(handle, parameters)
        guard result == 0 else { throw .system(name: name, operation: "set software parameters", code: -result) }
    }
}
