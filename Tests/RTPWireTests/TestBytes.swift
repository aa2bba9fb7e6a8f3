@testable import RTPWire

/// Bytes from hexadecimal text; blanks are ignored.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// What `write` put into a buffer of `capacity` bytes; `write` returns how many it used.
func written(capacity: Int = 1_500, _ write: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    defer { buffer.deallocate() }
    for offset in buffer.indices { buffer[offset] = 0xAA }
    let count = write(buffer)
    return Array(buffer.prefix(count))
}

/// Calls `body` with a buffer that ends exactly where the bytes end, so that AddressSanitizer sees an overread.
func withExactBytes<Result>(_ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { buffer.deallocate() }
    for (offset, byte) in bytes.enumerated() { buffer[offset] = byte }
    return body(UnsafeRawBufferPointer(buffer))
}

/// A small deterministic generator (SplitMix64), so that a failing test can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
