import Glibc
import MediaTypes

@testable import Codecs

/// A seeded source of random numbers (SplitMix64), so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A seed of this run, printed by the test that uses it.
    static func newSeed() -> UInt64 { UInt64.random(in: 0...(.max)) }
}

/// A sine as 16-bit samples.
func tone(hertz: Double, rateHz: Int = 48_000, amplitude: Double = 8_000, count: Int, from start: Int = 0) -> [Int16] {
    (start..<start + count).map { index in
        Int16(amplitude * sin(2 * .pi * hertz * Double(index) / Double(rateHz)))
    }
}

/// Amplitude of one frequency in the samples (Goertzel with a Hann window).
func amplitude(of hertz: Double, in samples: ArraySlice<Int16>, rateHz: Int = 48_000) -> Double {
    let coefficient = 2 * cos(2 * .pi * hertz / Double(rateHz))
    var one = 0.0
    var two = 0.0
    for (index, sample) in samples.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(samples.count))
        let zero = Double(sample) * window + coefficient * one - two
        two = one
        one = zero
    }
    let power = one * one + two * two - coefficient * one * two
    // The window's mean is a half.
    return 2 * power.squareRoot() / (Double(samples.count) * 0.5)
}

/// Root of the mean square.
func level(of samples: ArraySlice<Int16>) -> Double {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
}

/// How much of the power is not in one tone, in decibels below it.
func purity(of hertz: Double, in samples: ArraySlice<Int16>, rateHz: Int) -> Double {
    // Least squares of a sine and a cosine at the frequency; what is left is impurity.
    var (cc, ss, cs, xc, xs) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in samples.enumerated() {
        let phase = 2 * .pi * hertz * Double(index) / Double(rateHz)
        let (c, s, x) = (cos(phase), sin(phase), Double(sample))
        cc += c * c
        ss += s * s
        cs += c * s
        xc += x * c
        xs += x * s
    }
    let determinant = cc * ss - cs * cs
    let a = (xc * ss - xs * cs) / determinant
    let b = (xs * cc - xc * cs) / determinant
    var signal = 0.0
    var rest = 0.0
    for (index, sample) in samples.enumerated() {
        let phase = 2 * .pi * hertz * Double(index) / Double(rateHz)
        let fitted = a * cos(phase) + b * sin(phase)
        signal += fitted * fitted
        rest += (Double(sample) - fitted) * (Double(sample) - fitted)
    }
    return 10 * log10(signal / max(rest, 1e-9))
}

/// Something like a voice: a buzz of changing pitch under changing formants, with syllables and pauses.
func syntheticSpeech(seconds: Double) -> [Int16] {
    var random = SeededRandom(seed: 7)
    var phase = 0.0
    var (f1, f2) = (0.0, 0.0)
    var (g1, g2) = (0.0, 0.0)
    return (0..<Int(seconds * 48_000)).map { index in
        let time = Double(index) / 48_000
        let pitch = 120 + 30 * sin(2 * .pi * 0.7 * time) + 10 * sin(2 * .pi * 2.3 * time)
        phase += pitch / 48_000
        if phase >= 1 { phase -= 1 }
        let noise = Double(Int64(bitPattern: random.next())) / Double(Int64.max)
        let source = (phase < 0.1 ? 1.0 - phase * 10 : 0.0) - 0.05 + 0.02 * noise
        // Two resonances that glide like vowels.
        func resonate(_ x: Double, _ hertz: Double, _ y1: inout Double, _ y2: inout Double) -> Double {
            let r = 0.992
            let y = x + 2 * r * cos(2 * .pi * hertz / 48_000) * y1 - r * r * y2
            y2 = y1
            y1 = y
            return y
        }
        let a = resonate(source, 500 + 200 * sin(2 * .pi * 1.1 * time), &f1, &f2)
        let b = resonate(source, 1_500 + 500 * sin(2 * .pi * 0.8 * time), &g1, &g2)
        let syllable = max(0, sin(2 * .pi * 2 * time)) * (sin(2 * .pi * 0.25 * time) > -0.7 ? 1 : 0)
        return Int16(max(-30_000, min(30_000, 350 * (a + 0.5 * b) * syllable)))
    }
}
