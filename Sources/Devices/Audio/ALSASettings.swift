/// What a PCM has agreed to.
struct ALSASettings: Equatable, Sendable, BitwiseCopyable {
    var sampleRateHz: Int
    var channelCount: Int
    var format: SampleFormat
    /// Frames between two interrupts of the hardware.
    var periodFrames: Int
    /// Frames its buffer holds.
    var bufferFrames: Int
}
