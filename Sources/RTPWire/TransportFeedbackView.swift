import MediaTypes

/// Transport-wide feedback read in place: which packets arrived, and when
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01 §3.1).
package struct TransportFeedbackView: Sequence {
    /// The fate of one packet.
    package struct Status: Hashable, Sendable {
        package var sequenceNumber: SequenceNumber
        /// Arrival in ticks of 250 µs from the feedback's reference time; nil where the packet did not arrive.
        package var arrivalTicks: Int64?
    }

    package let sender: SSRC
    package let media: SSRC
    package let baseSequence: SequenceNumber
    /// How many packets the feedback speaks of, arrived or not.
    package let statusCount: Int
    /// In 64 ms of the receiver's clock, 24 bits with sign.
    package let referenceTime: Int32
    /// Counts feedback packets, so that a lost one is noticed.
    package let feedbackCount: UInt8
    private let chunks: UnsafeRawBufferPointer
    private let deltas: UnsafeRawBufferPointer

    /// The reference time in the unit of `Status.arrivalTicks`; it wraps every 12 days.
    package var referenceTicks: Int64 { Int64(referenceTime) * TransportFeedbackView.ticksPerReferenceUnit }

    /// - Parameter body: the RTCP packet without its first four bytes and padding.
    init?(_ body: UnsafeRawBufferPointer) {
        guard body.count >= 16 else { return nil }
        sender = SSRC(body.uint32(at: 0))
        media = SSRC(body.uint32(at: 4))
        baseSequence = SequenceNumber(body.uint16(at: 8))
        statusCount = Int(body.uint16(at: 10))
        referenceTime = Int32(bitPattern: body.uint24(at: 12) << 8) >> 8
        feedbackCount = body[15]
        guard statusCount > 0 else { return nil }
        var cursor = TransportFeedbackChunkCursor(body.part(from: 16, length: body.count - 16))
        var deltaByteCount = 0
        var seen = 0
        while seen < statusCount {
            guard let symbol = cursor.next(), symbol < 3 else { return nil }
            deltaByteCount += Int(symbol)
            seen += 1
        }
        let chunkByteCount = cursor.offset
        guard 16 + chunkByteCount + deltaByteCount <= body.count else { return nil }
        chunks = body.part(from: 16, length: chunkByteCount)
        deltas = body.part(from: 16 + chunkByteCount, length: deltaByteCount)
    }

    package func makeIterator() -> Iterator {
        Iterator(
            cursor: TransportFeedbackChunkCursor(chunks), deltas: ByteReader(deltas), remaining: statusCount,
            sequenceNumber: baseSequence)
    }

    /// Walks the packets in the order of their sequence numbers.
    package struct Iterator: IteratorProtocol {
        fileprivate var cursor: TransportFeedbackChunkCursor
        fileprivate var deltas: ByteReader
        fileprivate var remaining: Int
        fileprivate var sequenceNumber: SequenceNumber
        fileprivate var ticks: Int64 = 0

        package mutating func next() -> Status? {
            guard remaining > 0, let symbol = cursor.next() else { return nil }
            remaining -= 1
            defer { sequenceNumber = sequenceNumber.next }
            switch symbol {
            case 1: ticks += Int64(deltas.readUInt8() ?? 0)
            case 2: ticks += Int64(Int16(bitPattern: deltas.readUInt16() ?? 0))
            default: return Status(sequenceNumber: sequenceNumber, arrivalTicks: nil)
            }
            return Status(sequenceNumber: sequenceNumber, arrivalTicks: ticks)
        }
    }

    /// Microseconds of one tick.
    package static let tickMicroseconds: Int64 = 250
    static let ticksPerReferenceUnit: Int64 = 256
}
