import Glibc
import MediaTypes
import Testing

@testable import Codecs

@Suite struct MotionJPEGTests {
    static let names = ["420", "422", "444", "gray", "odd-420", "422-without-tables"]

    private func fixture(_ name: String) throws -> [UInt8] {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return try #require(readFile("/\(tests)/Fixtures/Pictures/gradient-\(name).jpg"))
    }

    private func size(_ name: String) -> PictureSize {
        name.hasPrefix("odd") ? PictureSize(width: 63, height: 47) : PictureSize(width: 64, height: 48)
    }

    private func decode(_ bytes: [UInt8], _ size: PictureSize, into picture: Picture) throws(CodecError) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(CodecError) in
                try PictureConverter.convert(bytes, format: .mjpeg, size: size, into: picture)
            }
        }
        try result.get()
    }

    @Test(arguments: names) func aCameraPictureDecodesWithTheRangeOfVideo(name: String) throws {
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        let size = size(name)
        // Drivers pad the buffer.
        try decode(try fixture(name) + [UInt8](repeating: 0, count: 100), size, into: picture)
        #expect(picture.size == size)
        var largest = 0
        for y in 0..<size.height {
            for x in 0..<size.width {
                let expected = 16 + (3 * x + y) * 219 / 255
                largest = max(largest, abs(Int(picture.luma[y * picture.lumaStride + x]) - expected))
            }
        }
        #expect(largest <= 4)
        var largestChroma = 0
        for y in 0..<picture.chromaHeight {
            for x in 0..<picture.chromaWidth {
                let isGray = name == "gray"
                let blue = isGray ? 128 : 16 + (64 + 4 * y + 1) * 224 / 255
                let red = isGray ? 128 : 16 + (200 - 4 * x - 1) * 224 / 255
                let offset = y * picture.chromaStride + x
                largestChroma = max(largestChroma, abs(Int(picture.blueChroma[offset]) - blue))
                largestChroma = max(largestChroma, abs(Int(picture.redChroma[offset]) - red))
            }
        }
        #expect(largestChroma <= 6)
    }

    @Test(arguments: names) func everyTruncationIsAnErrorOrAPictureAndNeverTheEnd(name: String) throws {
        let bytes = try fixture(name)
        let picture = Picture(size: size(name))
        for count in 0..<bytes.count {
            do { try decode(Array(bytes[0..<count]), size(name), into: picture) } catch {
                #expect(error == .malformed)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func damageIsAnErrorOrAPictureAndNeverTheEnd() throws {
        let seed = SeededRandom.newSeed()
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let fixtures = try Self.names.map { (size($0), try fixture($0)) }
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        var errors = 0
        for round in 0..<3_000 {
            var (size, bytes) = fixtures[round % fixtures.count]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if round % 5 == 0 {
                let cut = Int.random(in: 0..<bytes.count, using: &random)
                bytes.removeSubrange(cut..<min(bytes.count, cut + 30))
            }
            if round % 11 == 0 { size.width += 2 }
            do { try decode(bytes, size, into: picture) } catch { errors += 1 }
        }
        #expect(errors > 100)
        try decode(fixtures[0].1, fixtures[0].0, into: picture)
    }

    @Test func aPictureOfAnotherSizeIsMalformed() throws {
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        #expect(throws: CodecError.malformed) {
            try decode(try fixture("420"), PictureSize(width: 640, height: 480), into: picture)
        }
    }
}

/// The bytes of a file; nil when there is none.
func readFile(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let count = Int(lseek(descriptor, 0, SEEK_END))
    lseek(descriptor, 0, SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, read(descriptor, buffer.baseAddress, count))
    }
}
