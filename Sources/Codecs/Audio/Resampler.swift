import CSampleRate
import MediaTypes

/// Changes the rate of mono sound between a device or a file and the pipeline.
///
/// In the long run the output has exactly `input × outputRate / inputRate` frames; the first ones come late by the
/// filter's length.
/// - Thread: confined to one; `process` allocates nothing.
package final class Resampler {
    /// Frames that one step converts at most; longer input is taken in steps.
    private static let stepFrames = 1_024
    /// SRC_ERR_BAD_SRC_RATIO, which libsamplerate keeps to itself.
    private static let badRatio: Int32 = 6

    package let inputRateHz: Int
    package let outputRateHz: Int
    private let ratio: Double
    private let state: OpaquePointer?
    private let input: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Float>

    /// - Parameter inputRateHz, outputRateHz: 1 … 192 kHz; equal rates copy.
    package init(inputRateHz: Int, outputRateHz: Int) throws(CodecError) {
        let rates = 1_000...192_000
        guard rates.contains(inputRateHz), rates.contains(outputRateHz) else {
            throw .library(.sampleRate, code: Resampler.badRatio)
        }
        self.inputRateHz = inputRateHz
        self.outputRateHz = outputRateHz
        ratio = Double(outputRateHz) / Double(inputRateHz)
        if inputRateHz == outputRateHz {
            state = nil
        } else {
            var error: Int32 = 0
            // The fastest of the band-limited converters: 97 dB of signal to noise, a twentieth of the best one's work.
            guard let state = src_new(Int32(SRC_SINC_FASTEST), 1, &error) else {
                throw .library(.sampleRate, code: error)
            }
            self.state = state
        }
        input = .allocate(capacity: Resampler.stepFrames)
        output = .allocate(capacity: Resampler.stepFrames)
    }

    deinit {
        src_delete(state)
        input.deallocate()
        output.deallocate()
    }

    /// Converts as much as there is input and room in the output.
    /// - Returns: frames taken from the front of the input, and frames put at the front of the output. Input that was
    ///   not taken must be given again.
    package func process(
        _ source: UnsafeBufferPointer<Int16>, into target: UnsafeMutableBufferPointer<Int16>
    ) -> (consumed: Int, produced: Int) {
        guard let state else {
            let count = min(source.count, target.count)
            guard count > 0, let from = source.baseAddress, let to = target.baseAddress else { return (0, 0) }
            to.update(from: from, count: count)
            return (count, count)
        }
        guard let from = source.baseAddress, let to = target.baseAddress else { return (0, 0) }
        var consumed = 0
        var produced = 0
        while true {
            let inputCount = min(source.count - consumed, Resampler.stepFrames)
            let outputRoom = min(target.count - produced, Resampler.stepFrames)
            guard outputRoom > 0 else { break }
            src_short_to_float_array(from + consumed, input, Int32(inputCount))
            var data = SRC_DATA()
            data.data_in = UnsafePointer(input)
            data.data_out = output
            data.input_frames = inputCount
            data.output_frames = outputRoom
            data.src_ratio = ratio
            let result = src_process(state, &data)
            precondition(result == 0, "libsamplerate takes a ratio it accepted at start")
            src_float_to_short_array(output, to + produced, Int32(data.output_frames_gen))
            consumed += data.input_frames_used
            produced += data.output_frames_gen
            if data.input_frames_used == 0 && data.output_frames_gen == 0 { break }
        }
        return (consumed, produced)
    }

    /// Forgets the past: after a break.
    package func reset() {
        if let state { src_reset(state) }
    }
}
