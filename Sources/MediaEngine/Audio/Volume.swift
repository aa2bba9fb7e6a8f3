/// A loudness as a person sets it, 0 … 100 per cent.
package enum Volume {
    /// The factor for samples: the cube of the part, so that equal steps sound about equally large (50 % is −18 dB, 10 %
    /// is −60 dB); 0 is silence, 100 leaves the samples as they are.
    package static func gain(percent: Int) -> Double {
        let part = Double(limited(percent)) / 100
        return part * part * part
    }

    package static func limited(_ percent: Int) -> Int { min(100, max(0, percent)) }
}
