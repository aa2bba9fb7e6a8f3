import MediaTypes

/// A run of synchronization sources inside an RTCP packet, read in place.
package struct SSRCList: Sequence, IteratorProtocol {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// - Parameter bytes: whole identifiers.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var count: Int { (bytes.count - offset) / 4 }

    package mutating func next() -> SSRC? {
        guard bytes.count - offset >= 4 else { return nil }
        defer { offset += 4 }
        return SSRC(bytes.uint32(at: offset))
    }
}
