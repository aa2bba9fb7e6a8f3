/// A 16-bit RTP sequence number (RFC 3550 §5.1). All wrap-around arithmetic on it is here.
package struct SequenceNumber: Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt16

    package init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package var next: SequenceNumber { SequenceNumber(rawValue &+ 1) }

    package func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(rawValue &+ UInt16(truncatingIfNeeded: count))
    }

    /// Steps from this number to `other` along the shorter way round: −32768 … 32767.
    package func distance(to other: SequenceNumber) -> Int {
        Int(Int16(bitPattern: other.rawValue &- rawValue))
    }

    package func isNewer(than other: SequenceNumber) -> Bool {
        other.distance(to: self) > 0
    }
}

/// Turns 16-bit sequence numbers into a count that never wraps, whatever the order of arrival.
package struct SequenceUnwrapper: Sendable {
    private var highest: Int64?

    package init() {}

    /// The unwrapped number; at most half a cycle away from the highest seen so far.
    package mutating func unwrap(_ number: SequenceNumber) -> Int64 {
        guard let highest else {
            self.highest = Int64(number.rawValue)
            return Int64(number.rawValue)
        }
        let step = SequenceNumber(UInt16(truncatingIfNeeded: highest)).distance(to: number)
        let unwrapped = highest + Int64(step)
        self.highest = max(highest, unwrapped)
        return unwrapped
    }
}
