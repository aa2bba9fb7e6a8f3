import Glibc
import MediaTypes
import Testing

@testable import Codecs

@Suite struct PictureConverterTests {
    static let sizes = [(64, 48), (63, 47), (2, 2), (3, 5), (175, 143), (640, 480)].map {
        PictureSize(width: $0.0, height: $0.1)
    }

    /// What a sample of the test picture is.
    private static func luma(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: 3 * x + 5 * y) }
    private static func blue(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: 7 * x + y + 20) }
    private static func red(_ x: Int, _ y: Int) -> UInt8 { UInt8(truncatingIfNeeded: x + 11 * y + 90) }

    private func expectTestPicture(_ picture: Picture, _ size: PictureSize) {
        var wrong = 0
        for y in 0..<size.height {
            for x in 0..<size.width where picture.luma[y * picture.lumaStride + x] != Self.luma(x, y) { wrong += 1 }
        }
        for y in 0..<picture.chromaHeight {
            for x in 0..<picture.chromaWidth {
                if picture.blueChroma[y * picture.chromaStride + x] != Self.blue(x, y) { wrong += 1 }
                if picture.redChroma[y * picture.chromaStride + x] != Self.red(x, y) { wrong += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(picture.size == size)
    }

    private func bytes(_ format: PixelFormat, _ size: PictureSize, stride: Int) -> [UInt8] {
        let (halfWidth, halfHeight) = ((size.width + 1) / 2, (size.height + 1) / 2)
        var result: [UInt8] = []
        func row(_ samples: [UInt8], _ stride: Int) {
            result += samples + [UInt8](repeating: 0xEE, count: stride - samples.count)
        }
        if format == .yuyv {
            for y in 0..<size.height {
                row(
                    (0..<size.width / 2).flatMap {
                        [
                            Self.luma(2 * $0, y), Self.blue($0, y / 2), Self.luma(2 * $0 + 1, y), Self.red($0, y / 2),
                        ]
                    }, stride)
            }
            return result
        }
        for y in 0..<size.height { row((0..<size.width).map { Self.luma($0, y) }, stride) }
        if format == .nv12 {
            for y in 0..<halfHeight {
                row((0..<halfWidth).flatMap { [Self.blue($0, y), Self.red($0, y)] }, max(stride, halfWidth * 2))
            }
        } else {
            for y in 0..<halfHeight { row((0..<halfWidth).map { Self.blue($0, y) }, (stride + 1) / 2) }
            for y in 0..<halfHeight { row((0..<halfWidth).map { Self.red($0, y) }, (stride + 1) / 2) }
        }
        return result
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .yuyv], sizes)
    func cameraFormatsConvertExactly(format: PixelFormat, size: PictureSize) throws {
        let rowBytes = format == .yuyv ? size.width * 2 : size.width
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        for stride in [rowBytes, rowBytes + 6, rowBytes + 64] {
            let bytes = bytes(format, size, stride: stride)
            func convert() throws {
                try bytes.withUnsafeBytes {
                    try PictureConverter.convert($0, format: format, size: size, strideBytes: stride, into: picture)
                }
            }
            if format == .yuyv && size.width % 2 == 1 {
                #expect(throws: CodecError.unsupportedSize(width: size.width, height: size.height)) { try convert() }
            } else {
                try convert()
                expectTestPicture(picture, size)
            }
        }
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .yuyv]) func tooFewBytesAreMalformed(format: PixelFormat) throws {
        let size = PictureSize(width: 64, height: 48)
        let full = bytes(format, size, stride: format == .yuyv ? 128 : 64)
        let picture = Picture(size: size)
        for count in [0, 1, full.count / 2, full.count - 1] {
            #expect(throws: CodecError.malformed) {
                try full[0..<count].withUnsafeBytes {
                    try PictureConverter.convert($0, format: format, size: size, into: picture)
                }
            }
        }
        #expect(throws: CodecError.malformed) {
            try full.withUnsafeBytes {
                try PictureConverter.convert($0, format: format, size: size, strideBytes: 10, into: picture)
            }
        }
    }

    @Test func impossibleSizesAreRefused() {
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        for size in [
            PictureSize(width: 0, height: 0), PictureSize(width: -4, height: 4), PictureSize(width: 1 << 40, height: 4),
        ] {
            #expect(throws: CodecError.unsupportedSize(width: size.width, height: size.height)) {
                try [UInt8](repeating: 0, count: 64).withUnsafeBytes {
                    try PictureConverter.convert($0, format: .yuyv, size: size, into: picture)
                }
            }
        }
    }

    @Test func coloursOfRGBBecomeThoseOfVideo() throws {
        let colors: [([UInt8], [Int])] = [
            ([0, 0, 0], [16, 128, 128]), ([255, 255, 255], [235, 128, 128]), ([255, 0, 0], [82, 90, 240]),
            ([0, 255, 0], [145, 54, 34]), ([0, 0, 255], [41, 240, 110]),
        ]
        let picture = Picture(size: PictureSize(width: 16, height: 16))
        for (rgb, yuv) in colors {
            let size = PictureSize(width: 9, height: 7)
            let bytes = (0..<size.width * size.height).flatMap { _ in rgb }
            try bytes.withUnsafeBytes { try PictureConverter.convertRGB($0, size: size, into: picture) }
            let sample = [Int(picture.luma[0]), Int(picture.blueChroma[0]), Int(picture.redChroma[0])]
            #expect(zip(sample, yuv).allSatisfy { abs($0 - $1) <= 1 }, "\(sample) for \(rgb)")
        }
    }
}
