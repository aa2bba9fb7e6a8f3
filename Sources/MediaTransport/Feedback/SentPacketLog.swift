import MediaTypes
import RTPWire

/// What was sent under which transport-wide number, and what the far side's feedback says became of it.
struct SentPacketLog: ~Copyable {
    static let windowSize: Int64 = 2_048

    private enum Fate: BitwiseCopyable {
        case unknown
        case lost
        case arrived
    }

    private struct Record: BitwiseCopyable {
        var number: Int64 = -1
        var byteCount: Int32 = 0
        var fate = Fate.unknown
    }

    private let records: UnsafeMutablePointer<Record>
    private var unwrapper = SequenceUnwrapper()
    private(set) var nextNumber: Int64
    private var acknowledged = RateMeter()
    private var lastArrival: MonotonicTime?
    /// Packets that feedback said have arrived, since the beginning.
    private(set) var arrivedTotal: Int64 = 0
    /// Since the last `takeLoss`.
    private var arrivedCount = 0
    private var lostCount = 0

    init(firstNumber: UInt16) {
        records = .allocate(capacity: Int(Self.windowSize))
        records.initialize(repeating: Record(), count: Int(Self.windowSize))
        nextNumber = unwrapper.unwrap(SequenceNumber(firstNumber))
    }

    deinit { records.deallocate() }

    /// The number for a packet that leaves now.
    mutating func add(byteCount: Int) -> UInt16 {
        let number = nextNumber
        nextNumber += 1
        records[place(number)] = Record(number: number, byteCount: Int32(byteCount))
        return UInt16(truncatingIfNeeded: number)
    }

    mutating func note(_ feedback: TransportFeedbackView) {
        // Of nothing that was sent: the base must be below what comes next.
        let newest = SequenceNumber(UInt16(truncatingIfNeeded: nextNumber - 1))
        var number = nextNumber - 1 + Int64(newest.distance(to: feedback.baseSequence))
        for status in feedback {
            defer { number += 1 }
            guard number < nextNumber else { return }
            let index = place(number)
            guard number >= 0, records[index].number == number else { continue }
            guard let ticks = status.arrivalTicks else {
                if records[index].fate == .unknown {
                    records[index].fate = .lost
                    lostCount += 1
                }
                continue
            }
            guard records[index].fate != .arrived else { continue }
            if records[index].fate == .lost { lostCount = max(0, lostCount - 1) }
            records[index].fate = .arrived
            arrivedCount += 1
            arrivedTotal += 1
            let arrival = MonotonicTime(
                nanoseconds: (feedback.referenceTicks + ticks) * TransportFeedbackView.tickMicroseconds * 1_000)
            if let last = lastArrival, abs((arrival - last).nanoseconds) > Interval.seconds(10).nanoseconds {
                // The reference time wrapped, or the far side has another clock now.
                acknowledged.reset()
            }
            lastArrival = arrival
            acknowledged.add(byteCount: Int(records[index].byteCount), at: arrival)
        }
    }

    /// What has arrived during the last second before the newest arrival.
    mutating func acknowledgedRate() -> Bitrate? { lastArrival.map { acknowledged.rate(at: $0) } }

    /// The lost part of what the feedback since the last call spoke of; nil where it was too little to say.
    mutating func takeLoss() -> Double? {
        let total = arrivedCount + lostCount
        guard total >= 20 else { return nil }
        defer {
            arrivedCount = 0
            lostCount = 0
        }
        return Double(lostCount) / Double(total)
    }

    private func place(_ number: Int64) -> Int { Int(number & (Self.windowSize - 1)) }
}
