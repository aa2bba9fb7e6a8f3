/// How a sound device or file lays out one sample; the pipeline's is `int16`. All are little-endian.
enum SampleFormat: Sendable, BitwiseCopyable, CaseIterable {
    case int16
    case int32
    /// 24 bits at the bottom of 32, sign in bit 23.
    case int24In32
    /// 24 bits in three bytes.
    case int24Packed
    case float32

    var byteCount: Int {
        switch self {
        case .int16: 2
        case .int24Packed: 3
        case .int32, .int24In32, .float32: 4
        }
    }

    /// The sample at `bytes`, cut to 16 bits.
    @inline(__always)
    func load(_ bytes: UnsafeRawPointer) -> Int16 {
        switch self {
        case .int16: bytes.loadUnaligned(as: Int16.self)
        case .int32: Int16(truncatingIfNeeded: bytes.loadUnaligned(as: Int32.self) >> 16)
        case .int24In32: Int16(truncatingIfNeeded: bytes.loadUnaligned(as: Int32.self) >> 8)
        case .int24Packed: bytes.loadUnaligned(fromByteOffset: 1, as: Int16.self)
        case .float32: SampleFormat.int16(fromFloat: bytes.loadUnaligned(as: Float.self))
        }
    }

    /// Writes a sample to `bytes`.
    @inline(__always)
    func store(_ sample: Int16, to bytes: UnsafeMutableRawPointer) {
        switch self {
        case .int16: bytes.storeBytes(of: sample, as: Int16.self)
        case .int32: bytes.storeBytes(of: Int32(sample) << 16, as: Int32.self)
        case .int24In32: bytes.storeBytes(of: Int32(sample) << 8, as: Int32.self)
        case .int24Packed:
            bytes.storeBytes(of: 0, as: UInt8.self)
            bytes.storeBytes(of: sample, toByteOffset: 1, as: Int16.self)
        case .float32: bytes.storeBytes(of: Float(sample) / 32_768, as: Float.self)
        }
    }

    /// Rounded and clipped; what is not a number is silence.
    @inline(__always)
    private static func int16(fromFloat value: Float) -> Int16 {
        let scaled = (value * 32_768).rounded()
        return scaled >= 32_767 ? 32_767 : scaled > -32_768 ? Int16(scaled) : value.isNaN ? 0 : -32_768
    }
}
