import Glibc

/// Judges a second of sound at a time: how much of its power is the 1 kHz tone (Goertzel).
struct LoopMeter {
    private(set) var secondCount = 0
    private(set) var toneCount = 0
    /// Of the last second, 0 … 1.
    private(set) var share = 0.0
    private var frameCount = 0
    private var total = 0.0
    private var cosineSum = 0.0
    private var sineSum = 0.0
    /// One period of the tone: an emulated processor must not be asked for a sine per frame.
    private let cosines = (0..<48).map { cos(2 * Double.pi * Double($0) / 48) }
    private let sines = (0..<48).map { sin(2 * Double.pi * Double($0) / 48) }

    /// - Returns: true when a second is complete.
    mutating func accept(_ period: UnsafeMutableBufferPointer<Int16>) -> Bool {
        for sample in period {
            let value = Double(sample)
            total += value * value
            cosineSum += value * cosines[frameCount % 48]
            sineSum += value * sines[frameCount % 48]
            frameCount += 1
        }
        guard frameCount >= 48_000 else { return false }
        let power = 2 * (cosineSum * cosineSum + sineSum * sineSum) / Double(frameCount)
        share = total > 0 ? power / total : 0
        secondCount += 1
        if share > 0.9 { toneCount += 1 }
        (frameCount, total, cosineSum, sineSum) = (0, 0, 0, 0)
        return true
    }
}
