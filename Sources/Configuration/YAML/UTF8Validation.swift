/// Finds where text stops being UTF-8, which Swift's own decoding would only repair silently.
enum UTF8Validation {
    /// The first byte that is not part of a valid character, or is NUL; nil for valid text.
    static func firstInvalidOffset(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var offset = 0
        while offset < bytes.count {
            let length = characterLength(bytes, at: offset)
            guard length > 0 else { return offset }
            offset += length
        }
        return nil
    }

    /// 0 where no valid character starts (RFC 3629 §4).
    private static func characterLength(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
        let first = bytes[offset]
        let (length, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0x01...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard offset + length <= bytes.count, second.contains(bytes[offset + 1]) else { return 0 }
        for index in stride(from: offset + 2, to: offset + length, by: 1) where bytes[index] & 0xC0 != 0x80 {
            return 0
        }
        return length
    }
}
