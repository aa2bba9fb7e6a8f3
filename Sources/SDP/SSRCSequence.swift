import MediaTypes

/// Spreads a seed over as many SSRCs as are needed, none of them 0 (SplitMix64 by Vigna).
struct SSRCSequence: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> SSRC {
        while true {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            let value = UInt32(truncatingIfNeeded: mixed >> 32)
            if value != 0 { return SSRC(value) }
        }
    }
}
