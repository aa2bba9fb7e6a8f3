import MediaTypes

/// The entries of a full intra request, read in place (RFC 5104 §4.3.1.1).
package struct FullIntraRequestList: Sequence, IteratorProtocol {
    /// Which stream shall send a key frame; the command number tells a repetition from a new request.
    package struct Entry: Hashable, Sendable {
        package var media: SSRC
        package var commandNumber: UInt8
    }

    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// - Parameter bytes: whole entries.
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package mutating func next() -> Entry? {
        guard bytes.count - offset >= 8 else { return nil }
        defer { offset += 8 }
        return Entry(media: SSRC(bytes.uint32(at: offset)), commandNumber: bytes.uint8(at: offset + 4))
    }
}
