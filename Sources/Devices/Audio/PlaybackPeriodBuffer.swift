import Codecs
import MediaTypes

/// Turns 10 ms periods of 48 kHz mono into what a speaker takes.
///
///     480 frames → (Resampler) → mono → (all channels alike) → native
///
/// - Thread: one; nothing allocates after `init`.
final class PlaybackPeriodBuffer {
    /// The interleaved frames of the last period.
    let native: UnsafeMutableRawBufferPointer
    let sampleRateHz: Int
    let channelCount: Int
    let frameByteCount: Int
    private let format: SampleFormat
    private let mono: UnsafeMutableBufferPointer<Int16>
    private let resampler: Resampler
    private var resamplerInput: Int64 = 0
    private var resamplerOutput: Int64 = 0

    init(sampleRateHz: Int, channelCount: Int, format: SampleFormat) throws(CodecError) {
        self.sampleRateHz = sampleRateHz
        self.channelCount = channelCount
        self.format = format
        frameByteCount = channelCount * format.byteCount
        resampler = try Resampler(inputRateHz: AudioFormat.pipeline.sampleRateHz, outputRateHz: sampleRateHz)
        // A resampler may give more than its share once, after it gave less at the start.
        let capacity = 4 * (AudioFormat.pipelinePeriodFrames * sampleRateHz / AudioFormat.pipeline.sampleRateHz + 1)
        mono = .allocate(capacity: capacity)
        mono.initialize(repeating: 0)
        native = .allocate(byteCount: capacity * frameByteCount, alignment: 16)
        native.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        mono.deallocate()
        native.deallocate()
    }

    /// Converts one period into `native`.
    ///
    /// - Returns: how many frames are there now.
    func convert(_ period: UnsafeBufferPointer<Int16>) -> Int {
        let (consumed, frames) = resampler.process(period, into: mono)
        resamplerInput += Int64(consumed)
        resamplerOutput += Int64(frames)
        // There is room for more than one period, so there is memory.
        var target = native.baseAddress!
        let sampleBytes = format.byteCount
        for index in 0..<frames {
            for _ in 0..<channelCount {
                format.store(mono[index], to: target)
                target += sampleBytes
            }
        }
        return frames
    }

    /// Native frames that one period becomes on average, rounded up.
    var periodFrames: Int {
        let pipelineRate = AudioFormat.pipeline.sampleRateHz
        return (AudioFormat.pipelinePeriodFrames * sampleRateHz + pipelineRate - 1) / pipelineRate
    }

    /// 48 kHz frames that are inside the resampler.
    var delayFrames: Int {
        max(0, Int(resamplerInput - resamplerOutput * Int64(AudioFormat.pipeline.sampleRateHz) / Int64(sampleRateHz)))
    }
}
