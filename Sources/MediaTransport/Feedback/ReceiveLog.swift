/// Which sequence numbers of one stream have come: finds gaps, duplicates and packets that are too old.
///
/// Data only: no time. Sequence numbers are unwrapped.
/// - Source: RFC 3550 appendix A.1 for what counts as a restart of the sender.
struct ReceiveLog: ~Copyable {
    /// What a new packet means.
    enum Arrival: Equatable {
        /// The next one, or a later one with `missing` numbers before it that have not come.
        case newest(missing: Range<Int64>)
        /// One that was missing.
        case late
        case duplicate
        /// Below the window: nobody knows any more whether it had come.
        case tooOld
        /// Far away from everything before: the sender seems to have started anew. The log starts anew, too.
        case restart
    }

    /// Packets that the log remembers: four seconds of 4 Mbit/s.
    static let windowSize: Int64 = 2_048
    /// A step this long (forward) or anything below the window must be confirmed by a successor before it counts.
    static let largestStep: Int64 = 3_000

    private let bits: UnsafeMutablePointer<UInt64>
    private(set) var first: Int64?
    private(set) var highest: Int64 = -1
    /// A number far away was seen: this one would confirm it.
    private var suspect: Int64?
    /// Different packets received.
    private(set) var receivedCount: Int64 = 0
    /// Packets that should have come before the last restart.
    private var expectedBeforeRestart: Int64 = 0

    init() {
        bits = .allocate(capacity: Int(Self.windowSize / 64))
        bits.initialize(repeating: 0, count: Int(Self.windowSize / 64))
    }

    deinit { bits.deallocate() }

    /// Packets that should have come since the first one, restarts not counted as loss.
    var expectedCount: Int64 { expectedBeforeRestart + (first.map { highest - $0 + 1 } ?? 0) }

    func contains(_ sequence: Int64) -> Bool {
        guard first != nil, sequence <= highest, sequence > highest - Self.windowSize else { return false }
        return bit(sequence)
    }

    mutating func insert(_ sequence: Int64) -> Arrival {
        guard let first else {
            begin(at: sequence)
            return .newest(missing: sequence..<sequence)
        }
        if sequence > highest {
            if sequence - highest > Self.largestStep { return confirmJump(to: sequence) }
            suspect = nil
            let missing = (highest + 1)..<sequence
            var number = missing.lowerBound
            while number < sequence {
                clear(number)
                number += 1
            }
            set(sequence)
            highest = sequence
            receivedCount += 1
            return .newest(missing: missing)
        }
        guard sequence > highest - Self.windowSize else { return confirmJump(to: sequence) }
        guard !bit(sequence) else { return .duplicate }
        set(sequence)
        receivedCount += 1
        if sequence < first { self.first = sequence }
        return .late
    }

    mutating func reset() {
        first = nil
        highest = -1
        suspect = nil
        receivedCount = 0
        expectedBeforeRestart = 0
    }

    private mutating func begin(at sequence: Int64) {
        bits.update(repeating: 0, count: Int(Self.windowSize / 64))
        first = sequence
        highest = sequence
        suspect = nil
        receivedCount += 1
        set(sequence)
    }

    /// One stray packet must not throw the stream away; two in a row may (RFC 3550 A.1).
    private mutating func confirmJump(to sequence: Int64) -> Arrival {
        if suspect == sequence {
            expectedBeforeRestart = expectedCount
            begin(at: sequence)
            return .restart
        }
        suspect = sequence + 1
        return .tooOld
    }

    private func bit(_ sequence: Int64) -> Bool {
        let index = Int(sequence & (Self.windowSize - 1))
        return bits[index >> 6] >> UInt64(index & 63) & 1 != 0
    }

    private mutating func set(_ sequence: Int64) {
        let index = Int(sequence & (Self.windowSize - 1))
        bits[index >> 6] |= 1 << UInt64(index & 63)
    }

    private mutating func clear(_ sequence: Int64) {
        let index = Int(sequence & (Self.windowSize - 1))
        bits[index >> 6] &= ~(1 << UInt64(index & 63))
    }
}
