import Glibc

/// Finds the tone in what was heard last (Goertzel over a tenth of a second; short, because cb-net computes it in a debug build).
struct ToneMeter {
    private static let window = 4_800
    private static let sampleRate = 48_000.0
    private var samples: [Int16] = []

    mutating func add(_ more: some Sequence<Int16>) {
        samples.append(contentsOf: more)
        if samples.count > 2 * ToneMeter.window { samples.removeFirst(samples.count - ToneMeter.window) }
    }

    /// The strongest frequency among 200, 220 … 2000 Hz and its share of all power (0 … 1); nil before there is enough.
    var strongest: (frequency: Int, share: Double)? {
        guard samples.count >= ToneMeter.window else { return nil }
        return samples.withUnsafeBufferPointer { all in
            let last = UnsafeBufferPointer(rebasing: all.suffix(ToneMeter.window))
            var power = 0.0
            for sample in last { power += Double(sample) * Double(sample) }
            guard power > 0 else { return (0, 0) }
            var best = (frequency: 0, share: 0.0)
            for frequency in stride(from: 200, through: 2_000, by: 20) {
                let coefficient = 2 * cos(2 * Double.pi * Double(frequency) / ToneMeter.sampleRate)
                var before = 0.0
                var beforeThat = 0.0
                for sample in last {
                    let now = Double(sample) + coefficient * before - beforeThat
                    beforeThat = before
                    before = now
                }
                let found = before * before + beforeThat * beforeThat - coefficient * before * beforeThat
                let share = found * 2 / Double(ToneMeter.window) / power
                if share > best.share { best = (frequency, share) }
            }
            return best
        }
    }
}
