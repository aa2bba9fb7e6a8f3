/// Unpacks the status chunks of transport-wide feedback, symbol by symbol: 0 lost, 1 small delta, 2 large delta.
struct TransportFeedbackChunkCursor {
    private let bytes: UnsafeRawBufferPointer
    /// Bytes of the chunks that were begun.
    private(set) var offset = 0
    private var chunk: UInt16 = 0
    private var remaining = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func next() -> UInt8? {
        while remaining == 0 {
            guard bytes.count - offset >= 2 else { return nil }
            chunk = bytes.uint16(at: offset)
            offset += 2
            if chunk & 0x8000 == 0 {
                remaining = Int(chunk & 0x1FFF)
            } else {
                remaining = chunk & 0x4000 == 0 ? 14 : 7
            }
        }
        remaining -= 1
        if chunk & 0x8000 == 0 { return UInt8(chunk >> 13 & 0x3) }
        if chunk & 0x4000 == 0 { return UInt8(chunk >> UInt16(remaining) & 0x1) }
        return UInt8(chunk >> UInt16(2 * remaining) & 0x3)
    }
}
