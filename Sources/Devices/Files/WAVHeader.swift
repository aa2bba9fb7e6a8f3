import MediaTypes

/// What stands in front of the samples of a 16-bit PCM WAV file.
///
/// - Source: Microsoft "Multiple Channel Audio Data and WAVE Files"; RIFF chunks are padded to even sizes.
package struct WAVHeader: Equatable, Sendable {
    /// Rate and channels of the samples, which are interleaved signed 16-bit little-endian.
    package var format: AudioFormat
    /// Where the samples start, in bytes from the start of the file.
    package var dataOffset: Int
    /// How many bytes of samples there are: whole frames, inside the file.
    package var dataByteCount: Int

    /// Frames (one sample of each channel) in the file.
    package var frameCount: Int { dataByteCount / (2 * format.channelCount) }

    /// How much of the start of a file a parser wants to see.
    package static let prefixByteCount = 65_536
    /// Length of the header that `write` makes.
    package static let writtenByteCount = 44

    package init(format: AudioFormat, dataOffset: Int, dataByteCount: Int) {
        self.format = format
        self.dataOffset = dataOffset
        self.dataByteCount = dataByteCount
    }

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - prefix: the first `prefixByteCount` bytes of the file, or all of it when it is shorter.
    ///   - fileByteCount: the length of the whole file.
    package init(parsing prefix: UnsafeRawBufferPointer, fileByteCount: Int) throws(FileFormatProblem) {
        guard prefix.count >= 12, WAVHeader.text(prefix, at: 0) == "RIFF", WAVHeader.text(prefix, at: 8) == "WAVE"
        else { throw FileFormatProblem("is not a WAV file") }
        var format: AudioFormat?
        var offset = 12
        while true {
            guard offset + 8 <= prefix.count else {
                let isCut = offset + 8 > fileByteCount
                throw FileFormatProblem(
                    isCut ? "ends before its sound data" : "has no sound data in its first \(prefix.count) bytes")
            }
            let size = Int(WAVHeader.word32(prefix, at: offset + 4))
            let body = offset + 8
            switch WAVHeader.text(prefix, at: offset) {
            case "fmt ":
                guard body + min(size, 40) <= prefix.count else { throw FileFormatProblem("ends inside its header") }
                format = try WAVHeader.format(UnsafeRawBufferPointer(rebasing: prefix[body..<body + min(size, 40)]))
            case "data":
                guard let format else { throw FileFormatProblem("has its sound data before its format") }
                self.format = format
                dataOffset = body
                dataByteCount = try WAVHeader.dataByteCount(
                    size, available: fileByteCount - body, frameByteCount: 2 * format.channelCount)
                return
            default:
                break
            }
            offset = body + size + (size & 1)
        }
    }

    /// Writes the header of a file that has `dataByteCount` bytes of samples directly behind it.
    ///
    /// - Parameter bytes: at least `writtenByteCount` long.
    package static func write(
        format: AudioFormat, dataByteCount: Int, into bytes: UnsafeMutableRawBufferPointer
    ) {
        precondition(bytes.count >= writtenByteCount, "a WAV header needs \(writtenByteCount) bytes")
        let dataSize = UInt32(clamping: dataByteCount)
        let frameByteCount = 2 * format.channelCount
        put("RIFF", into: bytes, at: 0)
        put(UInt32(clamping: dataByteCount + writtenByteCount - 8), into: bytes, at: 4)
        put("WAVE", into: bytes, at: 8)
        put("fmt ", into: bytes, at: 12)
        put(UInt32(16), into: bytes, at: 16)
        put(UInt16(1), into: bytes, at: 20)
        put(UInt16(clamping: format.channelCount), into: bytes, at: 22)
        put(UInt32(clamping: format.sampleRateHz), into: bytes, at: 24)
        put(UInt32(clamping: format.sampleRateHz * frameByteCount), into: bytes, at: 28)
        put(UInt16(clamping: frameByteCount), into: bytes, at: 32)
        put(UInt16(16), into: bytes, at: 34)
        put("data", into: bytes, at: 36)
        put(dataSize, into: bytes, at: 40)
    }

    private static func format(_ chunk: UnsafeRawBufferPointer) throws(FileFormatProblem) -> AudioFormat {
        guard chunk.count >= 16 else { throw FileFormatProblem("has a format chunk that is too short") }
        var tag = word16(chunk, at: 0)
        let channelCount = Int(word16(chunk, at: 2))
        let sampleRateHz = Int(word32(chunk, at: 4))
        let bits = word16(chunk, at: 14)
        if tag == 0xFFFE {
            // WAVE_FORMAT_EXTENSIBLE: the first two bytes of its sub-format GUID are the tag that counts.
            guard chunk.count >= 26 else { throw FileFormatProblem("has a format chunk that is too short") }
            tag = word16(chunk, at: 24)
        }
        guard tag == 1, bits == 16 else {
            throw FileFormatProblem("is not 16-bit PCM (format \(tag), \(bits) bits)")
        }
        guard (1...32).contains(channelCount) else {
            throw FileFormatProblem("has \(channelCount) channels; 1 to 32 are possible")
        }
        guard (4_000...384_000).contains(sampleRateHz) else {
            throw FileFormatProblem("has a rate of \(sampleRateHz) Hz; 4000 to 384000 are possible")
        }
        guard Int(word16(chunk, at: 12)) == 2 * channelCount else {
            throw FileFormatProblem("has a block size that does not fit its \(channelCount) channels")
        }
        return AudioFormat(sampleRateHz: sampleRateHz, channelCount: channelCount)
    }

    private static func dataByteCount(
        _ size: Int, available: Int, frameByteCount: Int
    ) throws(FileFormatProblem) -> Int {
        // Programs that write to a pipe leave 0 or the greatest value here: then everything that follows is sound.
        let isStreamed = size == 0 || size >= 0xFFFF_FF00
        guard isStreamed || size <= available else {
            throw FileFormatProblem("is cut short: \(max(0, available)) of \(size) bytes of sound are there")
        }
        let byteCount = isStreamed ? available : size
        guard byteCount >= frameByteCount else { throw FileFormatProblem("has no sound in it") }
        return byteCount - byteCount % frameByteCount
    }

    private static func text(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> String {
        String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
    }

    private static func word16(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    private static func word32(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt32 {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private static func put(_ text: StaticString, into bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        text.withUTF8Buffer { characters in
            for (index, character) in characters.enumerated() { bytes[offset + index] = character }
        }
    }

    private static func put<Word: FixedWidthInteger>(
        _ word: Word, into bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) {
        bytes.storeBytes(of: word.littleEndian, toByteOffset: offset, as: Word.self)
    }
}
