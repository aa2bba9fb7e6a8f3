/// What an Opus packet says about itself without being decoded (RFC 6716 §3).
package struct OpusPayload: Hashable, Sendable, BitwiseCopyable {
    /// The coding mode, which decides whether in-band FEC is possible.
    package enum Mode: Sendable, BitwiseCopyable {
        case silk
        case hybrid
        case celt
    }

    package let mode: Mode
    package let isStereo: Bool
    /// 1 … 48 frames in this packet.
    package let frameCount: Int
    /// Samples at 48 kHz of one frame: 120 … 2880.
    package let frameTicks: Int
    /// Whether the packet carries a low-rate copy of the one before it (in-band FEC).
    package let hasFEC: Bool
    /// Whether the packet is only a sign of life in silence: at most one byte of frame (as libopus's DTX sends).
    package let isDTX: Bool

    /// Samples at 48 kHz of the whole packet, at most 5760.
    package var durationTicks: Int { frameCount * frameTicks }

    /// Nil where the packet breaks one of the rules R1 … R7 of RFC 6716 §3.4.
    package init?(_ packet: UnsafeRawBufferPointer) {
        var reader = ByteReader(packet)
        guard let toc = reader.readUInt8() else { return nil }
        let configuration = Int(toc >> 3)
        mode = configuration < 12 ? .silk : configuration < 16 ? .hybrid : .celt
        isStereo = toc & 0x04 != 0
        frameTicks = OpusPayload.frameTicks(configuration)
        guard let frames = OpusPayload.firstFrame(code: toc & 0x03, &reader), frames.count * frameTicks <= 5_760
        else { return nil }
        frameCount = frames.count
        isDTX = packet.count <= 2
        hasFEC = OpusPayload.hasLowRateCopy(
            frames.first, frameTicks: frameTicks, isStereo: isStereo, mode: mode)
    }

    /// RFC 6716 table 2.
    private static func frameTicks(_ configuration: Int) -> Int {
        switch configuration {
        case 0..<12: configuration & 3 == 3 ? 2_880 : 480 << (configuration & 3)
        case 12..<16: configuration & 1 == 0 ? 480 : 960
        default: 120 << (configuration & 3)
        }
    }

    private static func firstFrame(code: UInt8, _ reader: inout ByteReader) -> (
        count: Int, first: UnsafeRawBufferPointer
    )? {
        switch code {
        case 0:
            guard reader.remaining <= maximumFrameBytes else { return nil }
            return reader.readPart(reader.remaining).map { (1, $0) }
        case 1:
            guard reader.remaining % 2 == 0, reader.remaining / 2 <= maximumFrameBytes else { return nil }
            return reader.readPart(reader.remaining / 2).map { (2, $0) }
        case 2:
            guard let length = readLength(&reader), let first = reader.readPart(length),
                reader.remaining <= maximumFrameBytes
            else { return nil }
            return (2, first)
        default:
            return firstOfMany(&reader)
        }
    }

    private static func firstOfMany(_ reader: inout ByteReader) -> (count: Int, first: UnsafeRawBufferPointer)? {
        guard let header = reader.readUInt8() else { return nil }
        let count = Int(header & 0x3F)
        guard count > 0 else { return nil }
        var padding = 0
        if header & 0x40 != 0 {
            while true {
                guard let byte = reader.readUInt8() else { return nil }
                padding += byte == 255 ? 254 : Int(byte)
                if byte != 255 { break }
            }
        }
        guard header & 0x80 != 0 else {
            let total = reader.remaining - padding
            guard total >= 0, total % count == 0, total / count <= maximumFrameBytes else { return nil }
            return reader.readPart(total / count).map { (count, $0) }
        }
        var firstLength: Int?
        var sum = 0
        for _ in 1..<max(count, 1) {
            guard let length = readLength(&reader) else { return nil }
            firstLength = firstLength ?? length
            sum += length
        }
        let last = reader.remaining - padding - sum
        guard last >= 0, last <= maximumFrameBytes else { return nil }
        return reader.readPart(firstLength ?? last).map { (count, $0) }
    }

    private static func readLength(_ reader: inout ByteReader) -> Int? {
        guard let first = reader.readUInt8() else { return nil }
        guard first >= 252 else { return Int(first) }
        return reader.readUInt8().map { Int($0) * 4 + Int(first) }
    }

    /// The flags stand as whole bits before anything range-coded: one "voice" bit for each 20 ms, then the FEC bit, for
    /// each channel (RFC 6716 §4.2.3, as `opus_packet_has_lbrr` reads them).
    private static func hasLowRateCopy(
        _ frame: UnsafeRawBufferPointer, frameTicks: Int, isStereo: Bool, mode: Mode
    ) -> Bool {
        guard mode != .celt, frame.count > 0 else { return false }
        let flags = frame[0]
        let voiceBits = max(1, frameTicks / 960)
        if flags >> (7 - voiceBits) & 1 != 0 { return true }
        return isStereo && flags >> (6 - 2 * voiceBits) & 1 != 0
    }

    private static let maximumFrameBytes = 1_275
}
