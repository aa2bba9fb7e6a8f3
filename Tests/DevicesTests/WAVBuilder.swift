/// Makes WAV files byte by byte, right and wrong ones.
enum WAVBuilder {
    static func word(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ name: String, _ body: [UInt8], size: Int? = nil) -> [UInt8] {
        Array(name.utf8) + word(size ?? body.count, 4) + body + (body.count & 1 == 1 ? [0] : [])
    }

    static func riff(_ chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + word(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
    }

    static func format(
        tag: Int = 1, channels: Int = 1, rate: Int = 48_000, bits: Int = 16, block: Int? = nil
    ) -> [UInt8] {
        let block = block ?? channels * bits / 8
        return word(tag, 2) + word(channels, 2) + word(rate, 4) + word(rate * block, 4) + word(block, 2)
            + word(bits, 2)
    }

    /// A whole file of interleaved samples.
    static func file(_ samples: [Int16], channels: Int = 1, rate: Int = 48_000) -> [UInt8] {
        riff(
            chunk("fmt ", format(channels: channels, rate: rate))
                + chunk("data", samples.flatMap { word(Int($0), 2) }))
    }
}
