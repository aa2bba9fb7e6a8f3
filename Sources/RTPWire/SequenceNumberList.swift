import MediaTypes

/// The missing packets that a NACK names: pairs of a number and a bit map of the 16 after it (RFC 4585 §6.2.1).
package struct SequenceNumberList: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var base = SequenceNumber(0)
    private var pendingBits: UInt16 = 0

    /// - Parameter bytes: whole pairs.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package mutating func next() -> SequenceNumber? {
        if pendingBits != 0 {
            let bit = pendingBits.trailingZeroBitCount
            pendingBits &= pendingBits - 1
            return base.advanced(by: bit + 1)
        }
        guard bytes.count - offset >= 4 else { return nil }
        base = SequenceNumber(bytes.uint16(at: offset))
        pendingBits = bytes.uint16(at: offset + 2)
        offset += 4
        return base
    }
}
