import Codecs
import MediaTypes

/// Turns whatever a microphone or file delivers into 10 ms periods of 48 kHz mono.
///
///     native → (mix down) → mono → (Resampler) → queue → 480 frames
///
/// - Thread: one; nothing allocates after `init`.
final class CapturePeriodBuffer {
    /// Where the source puts its interleaved frames before it calls `accept`.
    let native: UnsafeMutableRawBufferPointer
    /// How many frames `native` holds.
    let nativeCapacity: Int
    let sampleRateHz: Int
    let channelCount: Int
    private let format: SampleFormat
    private let mono: UnsafeMutableBufferPointer<Int16>
    private var monoCount = 0
    private let queue: UnsafeMutableBufferPointer<Int16>
    /// 48 kHz frames ready to be taken.
    private(set) var count = 0
    private let resampler: Resampler
    /// Native frames given to the resampler and frames it gave, to know how many are inside it.
    private var resamplerInput: Int64 = 0
    private var resamplerOutput: Int64 = 0

    /// - Parameter nativeCapacity: frames that are accepted at once at most.
    init(
        sampleRateHz: Int, channelCount: Int, format: SampleFormat, nativeCapacity: Int
    ) throws(CodecError) {
        self.sampleRateHz = sampleRateHz
        self.channelCount = channelCount
        self.format = format
        self.nativeCapacity = nativeCapacity
        resampler = try Resampler(inputRateHz: sampleRateHz, outputRateHz: AudioFormat.pipeline.sampleRateHz)
        native = .allocate(byteCount: nativeCapacity * channelCount * format.byteCount, alignment: 16)
        native.initializeMemory(as: UInt8.self, repeating: 0)
        mono = .allocate(capacity: 2 * nativeCapacity)
        mono.initialize(repeating: 0)
        let converted = nativeCapacity * AudioFormat.pipeline.sampleRateHz / sampleRateHz
        queue = .allocate(capacity: 2 * converted + 4 * AudioFormat.pipelinePeriodFrames)
        queue.initialize(repeating: 0)
    }

    deinit {
        native.deallocate()
        mono.deallocate()
        queue.deallocate()
    }

    /// Takes the first `frames` frames of `native`. May be called while fewer than 480 frames are ready.
    func accept(_ frames: Int) {
        precondition(frames <= nativeCapacity && monoCount + frames <= mono.count, "the source keeps to the capacity")
        mixDown(frames)
        let (consumed, produced) = resampler.process(
            UnsafeBufferPointer(rebasing: mono[..<monoCount]),
            into: UnsafeMutableBufferPointer(rebasing: queue[count...]))
        resamplerInput += Int64(consumed)
        resamplerOutput += Int64(produced)
        count += produced
        monoCount -= consumed
        // The queue has room for all that can come out, so hardly anything stays behind.
        if monoCount > 0, let start = mono.baseAddress { start.update(from: start + consumed, count: monoCount) }
    }

    /// Moves the oldest 480 frames to `period`; there must be as many.
    func take(into period: UnsafeMutableBufferPointer<Int16>) {
        let frames = AudioFormat.pipelinePeriodFrames
        precondition(period.count >= frames && count >= frames, "a period is ready and has room")
        // Both have room for at least a period, so they have addresses.
        let start = queue.baseAddress!
        period.baseAddress!.update(from: start, count: frames)
        count -= frames
        start.update(from: start + frames, count: count)
    }

    /// 48 kHz frames between the newest frame accepted and the oldest one not yet taken.
    var delayFrames: Int {
        let inside = resamplerInput * Int64(AudioFormat.pipeline.sampleRateHz) / Int64(sampleRateHz) - resamplerOutput
        return count + max(0, Int(inside))
    }

    /// Forgets everything: after a break in the sound.
    func reset() {
        count = 0
        monoCount = 0
        resamplerInput = 0
        resamplerOutput = 0
        resampler.reset()
    }

    /// Stereo becomes the mean of both; of more channels the first counts, as the others of a microphone array may be
    /// raw capsules or what the speaker plays.
    private func mixDown(_ frames: Int) {
        // The capacity is at least one frame, so there is memory.
        var source = UnsafeRawPointer(native.baseAddress!)
        let target = mono.baseAddress! + monoCount
        let sampleBytes = format.byteCount
        let frameBytes = channelCount * sampleBytes
        if channelCount == 2 {
            for index in 0..<frames {
                let sum = Int32(format.load(source)) + Int32(format.load(source + sampleBytes))
                target[index] = Int16(truncatingIfNeeded: sum >> 1)
                source += frameBytes
            }
        } else {
            for index in 0..<frames {
                target[index] = format.load(source)
                source += frameBytes
            }
        }
        monoCount += frames
    }
}
