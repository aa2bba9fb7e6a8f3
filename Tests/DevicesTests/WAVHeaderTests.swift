import MediaTypes
import Testing

@testable import Devices

@Suite struct WAVHeaderTests {
    typealias Build = WAVBuilder

    static func parse(_ bytes: [UInt8]) throws(FileFormatProblem) -> WAVHeader {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        return try WAVHeader(parsing: UnsafeRawBufferPointer(copy), fileByteCount: bytes.count)
    }

    static func reason(_ bytes: [UInt8]) -> String? {
        do {
            _ = try parse(bytes)
            return nil
        } catch { return error.reason }
    }

    @Test func aWrittenHeaderIsReadBack() throws {
        for format in [AudioFormat.pipeline, AudioFormat(sampleRateHz: 44_100, channelCount: 2)] {
            var bytes = [UInt8](repeating: 0, count: 44 + 400)
            bytes.withUnsafeMutableBytes { WAVHeader.write(format: format, dataByteCount: 400, into: $0) }
            let header = try Self.parse(bytes)
            #expect(header == WAVHeader(format: format, dataOffset: 44, dataByteCount: 400))
            #expect(header.frameCount == 400 / 2 / format.channelCount)
        }
    }

    @Test func otherChunksAreSteppedOverAndOddOnesArePadded() throws {
        let bytes = Build.riff(
            Build.chunk("LIST", [1, 2, 3]) + Build.chunk("fmt ", Build.format(channels: 2))
                + Build.chunk("fact", [0, 0, 0, 0]) + Build.chunk("data", [UInt8](repeating: 7, count: 10)))
        let header = try Self.parse(bytes)
        #expect(header.format == AudioFormat(sampleRateHz: 48_000, channelCount: 2))
        // Ten bytes hold two whole frames of four.
        #expect(header.dataByteCount == 8)
        #expect(bytes[header.dataOffset] == 7)
    }

    @Test func theExtensibleFormIsUnderstood() throws {
        let extended =
            Build.format(tag: 0xFFFE, channels: 2) + Build.word(22, 2) + Build.word(16, 2) + Build.word(3, 4)
            + [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        let header = try Self.parse(Build.riff(Build.chunk("fmt ", extended) + Build.chunk("data", [0, 0, 0, 0])))
        #expect(header.frameCount == 1)
    }

    @Test func aFileFromAPipeHasSoundToItsEnd() throws {
        let sound = [UInt8](repeating: 0, count: 100)
        for size in [0, 0xFFFF_FFFF] {
            let bytes = Build.riff(Build.chunk("fmt ", Build.format()) + Build.chunk("data", sound, size: size))
            #expect(try Self.parse(bytes).dataByteCount == 100)
        }
    }

    @Test func eachFaultIsTold() {
        let data = Build.chunk("data", [0, 0])
        func reason(_ format: [UInt8]) -> String { Self.reason(Build.riff(Build.chunk("fmt ", format) + data)) ?? "" }
        #expect(Self.reason([]) == "is not a WAV file")
        #expect(Self.reason(Array("RIFX0000WAVE".utf8)) == "is not a WAV file")
        #expect(Self.reason(Build.riff([])) == "ends before its sound data")
        #expect(Self.reason(Build.riff(Build.chunk("fmt ", Build.format()))) == "ends before its sound data")
        #expect(Self.reason(Build.riff(data)) == "has its sound data before its format")
        #expect(reason(Build.format(tag: 3, bits: 32)) == "is not 16-bit PCM (format 3, 32 bits)")
        #expect(reason(Build.format(bits: 24)).contains("24 bits"))
        #expect(reason(Build.format(channels: 0)).contains("channels"))
        #expect(reason(Build.format(rate: 1)).contains("rate"))
        #expect(reason(Build.format(block: 7)).contains("block"))
        #expect(
            Self.reason(
                Build.riff(Build.chunk("fmt ", Build.format()) + Build.chunk("data", [0, 0], size: 50)))
                == "is cut short: 2 of 50 bytes of sound are there")
        #expect(
            Self.reason(Build.riff(Build.chunk("fmt ", Build.format()) + Build.chunk("data", [])))
                == "has no sound in it")
    }

    @Test func damagedHeadersNeverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        let good = Build.riff(
            Build.chunk("LIST", [1, 2, 3]) + Build.chunk("fmt ", Build.format())
                + Build.chunk("data", [0, 0, 1, 1]))
        for _ in 0..<3_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random) / 3)
            guard let header = try? Self.parse(bytes) else { continue }
            #expect(header.dataOffset + header.dataByteCount <= bytes.count, "seed \(seed)")
            #expect(header.frameCount > 0, "seed \(seed)")
        }
    }
}
