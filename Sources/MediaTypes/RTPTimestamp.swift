/// A 32-bit RTP timestamp in ticks of the payload's clock (RFC 3550 §5.1): 48 kHz for Opus, 90 kHz for video.
package struct RTPTimestamp: Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt32

    package init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package func advanced(byTicks count: Int) -> RTPTimestamp {
        RTPTimestamp(rawValue &+ UInt32(truncatingIfNeeded: count))
    }

    /// Ticks from this timestamp to `other` along the shorter way round.
    package func distance(to other: RTPTimestamp) -> Int {
        Int(Int32(bitPattern: other.rawValue &- rawValue))
    }

    package func isNewer(than other: RTPTimestamp) -> Bool {
        other.distance(to: self) > 0
    }
}

/// Turns 32-bit timestamps into ticks that never wrap, whatever the order of arrival.
package struct TimestampUnwrapper: Sendable {
    private var highest: Int64?

    package init() {}

    package mutating func unwrap(_ timestamp: RTPTimestamp) -> Int64 {
        guard let highest else {
            self.highest = Int64(timestamp.rawValue)
            return Int64(timestamp.rawValue)
        }
        let step = RTPTimestamp(UInt32(truncatingIfNeeded: highest)).distance(to: timestamp)
        let unwrapped = highest + Int64(step)
        self.highest = max(highest, unwrapped)
        return unwrapped
    }
}
