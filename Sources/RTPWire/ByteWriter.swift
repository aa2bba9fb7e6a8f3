/// Appends network-order numbers to a caller's buffer; refuses, and remembers that it refused, when there is no room.
package struct ByteWriter {
    /// What is written to; the bytes belong to the caller.
    package let buffer: UnsafeMutableRawBufferPointer
    package private(set) var count = 0
    /// True once something did not fit: what was written is then incomplete and must not be sent.
    package private(set) var hasOverflowed = false

    package init(_ buffer: UnsafeMutableRawBufferPointer) {
        self.buffer = buffer
    }

    package var remaining: Int { buffer.count - count }

    package mutating func append(_ value: UInt8) {
        guard claim(1) else { return }
        buffer[count - 1] = value
    }

    package mutating func append(_ value: UInt16) {
        guard claim(2) else { return }
        buffer.storeBytes(of: value.bigEndian, toByteOffset: count - 2, as: UInt16.self)
    }

    /// The low 24 bits of `value`.
    package mutating func append24(_ value: UInt32) {
        append(UInt8(truncatingIfNeeded: value >> 16))
        append(UInt16(truncatingIfNeeded: value))
    }

    package mutating func append(_ value: UInt32) {
        guard claim(4) else { return }
        buffer.storeBytes(of: value.bigEndian, toByteOffset: count - 4, as: UInt32.self)
    }

    package mutating func append(_ value: UInt64) {
        guard claim(8) else { return }
        buffer.storeBytes(of: value.bigEndian, toByteOffset: count - 8, as: UInt64.self)
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard claim(bytes.count), !bytes.isEmpty else { return }
        UnsafeMutableRawBufferPointer(rebasing: buffer[(count - bytes.count)..<count]).copyMemory(from: bytes)
    }

    package mutating func appendZeros(_ length: Int) {
        guard claim(length), length > 0 else { return }
        for offset in (count - length)..<count { buffer[offset] = 0 }
    }

    /// Takes back everything after the first `length` bytes, and forgets an overflow that happened there.
    package mutating func truncate(to length: Int) {
        precondition(length >= 0 && length <= count, "only written bytes can be taken back")
        count = length
        hasOverflowed = false
    }

    /// Overwrites two bytes that are already written (a length or count known only afterwards).
    package mutating func replace(at offset: Int, with value: UInt16) {
        precondition(offset >= 0 && offset <= count - 2, "only written bytes can be replaced")
        buffer.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt16.self)
    }

    package mutating func replace(at offset: Int, with value: UInt8) {
        precondition(offset >= 0 && offset < count, "only written bytes can be replaced")
        buffer[offset] = value
    }

    private mutating func claim(_ length: Int) -> Bool {
        guard !hasOverflowed, length >= 0, length <= remaining else {
            hasOverflowed = true
            return false
        }
        count += length
        return true
    }
}
