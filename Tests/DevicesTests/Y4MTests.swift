import MediaTypes
import Testing

@testable import Devices

@Suite struct Y4MTests {
    static func parse(_ text: String) throws(FileFormatProblem) -> Y4MHeader {
        let bytes = Array(text.utf8)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        return try Y4MHeader(parsing: UnsafeRawBufferPointer(copy))
    }

    static func reason(_ text: String) -> String {
        do {
            _ = try parse(text)
            return ""
        } catch { return error.reason }
    }

    /// A file whose picture `index` has luma `index`, blue chroma 100 and red chroma 200.
    static func file(pictures: Int, width: Int = 6, height: Int = 5, rate: String = "200:1") -> [UInt8] {
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F\(rate) Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n".utf8)
        let chroma = (width + 1) / 2 * ((height + 1) / 2)
        for index in 0..<pictures {
            // Frame parameters are allowed, and make the frames different in length.
            bytes += Array((index % 2 == 0 ? "FRAME\n" : "FRAME Ip\n").utf8)
            bytes += [UInt8](repeating: UInt8(index), count: width * height)
            bytes += [UInt8](repeating: 100, count: chroma) + [UInt8](repeating: 200, count: chroma)
        }
        return bytes
    }

    @Test func theHeaderLineIsRead() throws {
        let header = try Self.parse("YUV4MPEG2 W640 H480 F30000:1001 Ip A1:1 C420mpeg2 XYSCSS=420\nFRAME\n")
        #expect(header.size == PictureSize(width: 640, height: 480))
        #expect(header.rateNumerator == 30_000 && header.rateDenominator == 1_001)
        #expect(header.byteCount == 61)
        #expect(header.pictureByteCount == 640 * 480 * 3 / 2)
        #expect(try Self.parse("YUV4MPEG2 W5 H3 F25:1\n").pictureByteCount == 15 + 2 * 6)
    }

    @Test(arguments: [
        ("", "YUV4MPEG2"), ("YUV4MPEG22 W6 H4 F1:1\n", "YUV4MPEG2"), ("YUV4MPEG2 W6 H4 F1:1", "ends inside"),
        ("YUV4MPEG2 W6 F1:1\n", "width and height"), ("YUV4MPEG2 W-6 H4 F1:1\n", "width and height"),
        ("YUV4MPEG2 W99999999999999999999 H4 F1:1\n", "width and height"), ("YUV4MPEG2 W6 H4\n", "frame rate"),
        ("YUV4MPEG2 W6 H4 F0:0\n", "F0:0"), ("YUV4MPEG2 W6 H4 F30\n", "F30"),
        ("YUV4MPEG2 W6 H4 F1:1 It\n", "interlaced"), ("YUV4MPEG2 W6 H4 F1:1 C444\n", "C444"),
        ("YUV4MPEG2 W6 H4 F1:1 C420p10\n", "C420p10"), ("YUV4MPEG2 W6 H4 F1:1 Q\u{7}\n", "unknown field 'Q?'"),
    ])
    func eachFaultIsTold(line: String, words: String) {
        #expect(Self.reason(line).contains(words))
    }

    @Test func picturesAreReadByIndexWithoutTheirPadding() throws {
        let folder = TemporaryFolder()
        let file = try Y4MFile(path: folder.write(Self.file(pictures: 5), as: "a.y4m"))
        #expect(file.pictureCount == 5)
        let picture = Picture(size: PictureSize(width: 2, height: 2))
        for index in [4, 0, 3] {
            try file.read(index, into: picture)
            #expect(picture.size == PictureSize(width: 6, height: 5))
            #expect(picture.luma[0] == index && picture.luma[4 * picture.lumaStride + 5] == index)
            #expect(picture.blueChroma[2 * picture.chromaStride + 2] == 100)
            #expect(picture.redChroma[0] == 200 && picture.redChroma[2 * picture.chromaStride + 2] == 200)
        }
    }

    @Test func aCutFileIsRefusedWhenItIsOpened() {
        let folder = TemporaryFolder()
        let whole = Self.file(pictures: 3)
        func reason(_ bytes: [UInt8]) -> String {
            do {
                _ = try Y4MFile(path: folder.write(bytes, as: "a.y4m"))
                return ""
            } catch { return error.description }
        }
        #expect(reason(Array(whole.dropLast())).contains("is cut short: picture 2 lacks 1 bytes"))
        #expect(reason(Array(whole.prefix(100))).contains("picture 0"))
        #expect(reason(Array(whole.prefix(while: { $0 != 10 })) + [10]).contains("no picture"))
        #expect(reason(whole + [0]).contains("no FRAME line in front of picture 3"))
        #expect(reason([]).contains("not a YUV4MPEG2"))
        #expect(reason(whole) == "")
    }

    @Test func theCameraLoopsAtTheRateOfTheFile() throws {
        let folder = TemporaryFolder()
        let path = folder.write(Self.file(pictures: 3), as: "a.y4m")
        let camera = try FileCamera(specifier: DeviceSpecifier("file:\(path)"))
        #expect(camera.size == PictureSize(width: 6, height: 5) && camera.framesPerSecond == 200)
        let picture = Picture(size: camera.size)
        var times: [MonotonicTime] = []
        for _ in 0..<7 {
            #expect(try camera.capture(into: picture, timeoutMilliseconds: 2_000))
            #expect(Int64(picture.luma[0]) == picture.number)
            times.append(picture.captureTime)
        }
        // Late readers lose pictures, but what they get stands at its exact time.
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect((later - earlier).nanoseconds % 5_000_000 == 0 && later > earlier)
        }
    }
}
