import Glibc
import MediaTypes

/// Microphone `tone:FREQUENCY[,LEVEL]`: a sine of so many hertz at a level in dB below full scale (−12 when not given).
final class ToneMicrophone: AudioCaptureDevice {
    let name: String
    private var pacer = CapturePacer()
    /// The sine is one coordinate of a point that turns by this angle per frame.
    private let stepCosine: Double
    private let stepSine: Double
    private let amplitude: Double
    private var cosine = 1.0
    private var sine = 0.0

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        let parts = specifier.argument.split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let frequency = Double(parts[0]), (1...20_000).contains(frequency) else {
            throw .unsupported(name: name, reason: "write tone:FREQUENCY[,LEVEL] with 1 to 20000 Hz")
        }
        var level = -12.0
        if parts.count == 2 {
            guard let value = Double(parts[1]), (-100...0).contains(value) else {
                throw .unsupported(name: name, reason: "the level '\(parts[1])' is not between -100 and 0 dB")
            }
            level = value
        }
        let step = 2 * Double.pi * frequency / Double(AudioFormat.pipeline.sampleRateHz)
        stepCosine = cos(step)
        stepSine = sin(step)
        amplitude = 32_767 * pow(10, level / 20)
    }

    var interruptionCount: Int { pacer.interruptionCount }

    func read(into period: UnsafeMutableBufferPointer<Int16>) throws(DeviceError) -> MonotonicTime {
        let time = pacer.wait()
        for index in 0..<min(period.count, AudioFormat.pipelinePeriodFrames) {
            period[index] = Int16((amplitude * sine).rounded())
            (cosine, sine) = (cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine)
        }
        // Rounding lets the point wander off the unit circle by about 1e-16 a step.
        let length = (cosine * cosine + sine * sine).squareRoot()
        cosine /= length
        sine /= length
        return time
    }

    func close() {}
}
