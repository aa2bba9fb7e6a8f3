import MediaTypes

/// Loudness of a period in the form RFC 6464 sends: dB below the overload point, 0 (loudest) … 127 (silence).
package enum AudioLoudness {
    package static let silence: UInt8 = 127

    /// Root mean square of the samples.
    package static func decibelsBelowOverload(_ samples: UnsafeBufferPointer<Int16>) -> UInt8 {
        guard !samples.isEmpty else { return silence }
        var energy: Int64 = 0
        for sample in samples { energy &+= Int64(sample) * Int64(sample) }
        // 32768² is 0 dBov; every factor of ten in energy is 10 dB.
        let mean = Double(energy) / Double(samples.count) / (32_768.0 * 32_768.0)
        guard mean > 0 else { return silence }
        return UInt8(min(127, max(0, (-decibels(ofRatio: mean)).rounded())))
    }

    /// 10·log10 without a C library: the exponent of the number plus a third-order fit of its mantissa's logarithm,
    /// within 0.01 dB.
    static func decibels(ofRatio ratio: Double) -> Double {
        let mantissa = ratio.significand
        let t = (mantissa - 1) / (mantissa + 1)
        let square = t * t
        // ln(m) = 2·(t + t³/3 + t⁵/5 + …)
        let naturalLogarithm = 2 * t * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square / 7)))
        let naturalLogarithmOf2 = 0.693_147_180_559_945_3
        return 4.342_944_819_032_518 * (Double(ratio.exponent) * naturalLogarithmOf2 + naturalLogarithm)
    }
}
