/// Reads numbers one after the other and says nil at the end, for headers of variable length.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    package private(set) var offset = 0

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    package var remaining: Int { bytes.count - offset }

    package mutating func readUInt8() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { offset += 1 }
        return bytes.uint8(at: offset)
    }

    package mutating func readUInt16() -> UInt16? {
        guard remaining >= 2 else { return nil }
        defer { offset += 2 }
        return bytes.uint16(at: offset)
    }

    package mutating func readUInt32() -> UInt32? {
        guard remaining >= 4 else { return nil }
        defer { offset += 4 }
        return bytes.uint32(at: offset)
    }

    package mutating func readPart(_ length: Int) -> UnsafeRawBufferPointer? {
        guard length >= 0, length <= remaining else { return nil }
        defer { offset += length }
        return bytes.part(from: offset, length: length)
    }
}
