/// Reads of network-order numbers. Callers check lengths first; a wrong offset is a bug and traps in every build.
extension UnsafeRawBufferPointer {
    package func uint16(at offset: Int) -> UInt16 {
        precondition(offset >= 0 && offset <= count - 2, "read past the end")
        return UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    package func uint24(at offset: Int) -> UInt32 {
        UInt32(uint8(at: offset)) << 16 | UInt32(uint16(at: offset + 1))
    }

    package func uint32(at offset: Int) -> UInt32 {
        precondition(offset >= 0 && offset <= count - 4, "read past the end")
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    package func uint64(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= count - 8, "read past the end")
        return UInt64(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    package func uint8(at offset: Int) -> UInt8 {
        // The subscript checks only in debug builds.
        precondition(offset >= 0 && offset < count, "read past the end")
        return self[offset]
    }

    /// The part from `start` of `length` bytes, as a buffer that starts at 0.
    package func part(from start: Int, length: Int) -> UnsafeRawBufferPointer {
        precondition(start >= 0 && length >= 0 && start <= count - length, "part past the end")
        return UnsafeRawBufferPointer(rebasing: self[start..<start + length])
    }
}
