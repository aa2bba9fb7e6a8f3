/// Media whose content says what it is, so that a receiver can check it without a codec.
enum SyntheticMedia {
    /// A SILK packet of 20 ms with redundancy of the one before, carrying its number.
    static func opus(number: Int64, byteCount: Int = 80, hasFEC: Bool = true) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number &* 31), count: byteCount)
        // Configuration 9: SILK wide band, 20 ms; then the voice bit and the redundancy bit.
        bytes[0] = 9 << 3
        bytes[1] = hasFEC ? 0xC0 : 0x80
        for place in 0..<8 { bytes[2 + place] = UInt8(truncatingIfNeeded: number >> Int64(8 * place)) }
        return bytes
    }

    static func opusNumber(_ bytes: some Collection<UInt8>) -> Int64? {
        let bytes = Array(bytes)
        guard bytes.count >= 10, bytes[0] == 9 << 3 else { return nil }
        var number: Int64 = 0
        for place in 0..<8 { number |= Int64(bytes[2 + place]) << Int64(8 * place) }
        return opus(number: number, byteCount: bytes.count, hasFEC: bytes[1] & 0x40 != 0) == bytes ? number : nil
    }

    /// What libopus sends in silence: only the table-of-contents byte.
    static let opusDTX: [UInt8] = [9 << 3]

    /// A VP8 frame by its first bytes, carrying its number.
    static func vp8(number: Int64, isKeyFrame: Bool, byteCount: Int) -> [UInt8] {
        precondition(byteCount >= 20, "room for header and number")
        var bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: Int64($0) &* 7 &+ number &* 13) }
        bytes.replaceSubrange(0..<3, with: [isKeyFrame ? 0x10 : 0x11, 0x02, 0x00])
        if isKeyFrame { bytes.replaceSubrange(3..<10, with: [0x9D, 0x01, 0x2A, 0x80, 0x02, 0xE0, 0x01]) }
        for place in 0..<8 { bytes[10 + place] = UInt8(truncatingIfNeeded: number >> Int64(8 * place)) }
        return bytes
    }

    /// Nil where the bytes are not exactly what `vp8` makes.
    static func vp8Number(_ bytes: some Collection<UInt8>) -> (number: Int64, isKeyFrame: Bool)? {
        let bytes = Array(bytes)
        guard bytes.count >= 20 else { return nil }
        var number: Int64 = 0
        for place in 0..<8 { number |= Int64(bytes[10 + place]) << Int64(8 * place) }
        let isKeyFrame = bytes[0] & 1 == 0
        guard vp8(number: number, isKeyFrame: isKeyFrame, byteCount: bytes.count) == bytes else { return nil }
        return (number, isKeyFrame)
    }
}
