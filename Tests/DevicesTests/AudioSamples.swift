import Glibc
import MediaTypes

@testable import Devices

/// Makes, moves and judges sound in the tests.
enum AudioSamples {
    static func sine(_ frequency: Double, frames: Int, rate: Int = 48_000, channels: Int = 1) -> [Int16] {
        (0..<frames).flatMap { index in
            let value = Int16(12_000 * sin(2 * Double.pi * frequency * Double(index) / Double(rate)))
            return [Int16](repeating: value, count: channels)
        }
    }

    /// Power of one frequency against all power, 0 … 1 (Goertzel).
    static func share(of frequency: Double, in samples: [Int16], rate: Int = 48_000) -> Double {
        let coefficient = 2 * cos(2 * Double.pi * frequency / Double(rate))
        var (previous, beforePrevious, total) = (0.0, 0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            // A Hann window keeps a tone that does not fit the length in one place.
            let window = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(samples.count))
            let value = Double(sample) * window
            total += value * value
            (previous, beforePrevious) = (value + coefficient * previous - beforePrevious, previous)
        }
        let power = previous * previous + beforePrevious * beforePrevious - coefficient * previous * beforePrevious
        // A windowed sine alone gives 2/3 of this.
        return total > 0 ? power / (total * Double(samples.count) / 2) * 1.5 : 0
    }

    static func read(_ device: any AudioCaptureDevice, periods: Int) throws(DeviceError) -> [Int16] {
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        period.initialize(repeating: 0)
        var samples: [Int16] = []
        for _ in 0..<periods {
            _ = try device.read(into: period)
            samples += period
        }
        return samples
    }

    static func write(_ samples: [Int16], to device: any AudioPlaybackDevice) throws(DeviceError) {
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer { period.deallocate() }
        for start in stride(from: 0, to: samples.count - 479, by: 480) {
            _ = period.update(from: samples[start..<start + 480])
            try device.write(UnsafeBufferPointer(period))
        }
    }

    /// The samples of a WAV file that Callbox wrote.
    static func ofWAV(_ bytes: [UInt8]) throws(FileFormatProblem) -> [Int16] {
        let header = try WAVHeaderTests.parse(bytes)
        return stride(from: header.dataOffset, to: header.dataOffset + header.dataByteCount, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }
}
