/// Shape of interleaved signed 16-bit audio.
package struct AudioFormat: Hashable, Sendable, BitwiseCopyable {
    package var sampleRateHz: Int
    package var channelCount: Int

    package init(sampleRateHz: Int, channelCount: Int) {
        self.sampleRateHz = sampleRateHz
        self.channelCount = channelCount
    }

    /// What every pipeline inside Callbox carries: 48 kHz mono.
    package static let pipeline = AudioFormat(sampleRateHz: 48_000, channelCount: 1)
    /// Frames in one 10 ms period of the pipeline format.
    package static let pipelinePeriodFrames = 480
}
