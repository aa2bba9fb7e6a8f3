import MediaTypes
import Realtime
import Testing

@testable import Devices

@Suite struct TestPatternTests {
    @Test(arguments: [(16, 16), (17, 19), (160, 120), (640, 480), (1_281, 721)])
    func everySizeCanBePainted(width: Int, height: Int) {
        let size = PictureSize(width: width, height: height)
        let painter = TestPatternPainter(size: size, framesPerSecond: 30)
        let picture = Picture(size: size)
        for number in [0, 1, 29, 65_535, 65_536, 10_000_000_000] as [Int64] {
            painter.paint(number, into: picture)
            if width >= 160 { #expect(FrameCounterCode.read(from: picture) == Int(number % 65_536)) }
        }
    }

    @Test func aPictureDependsOnNothingButItsNumber() {
        let size = PictureSize(width: 320, height: 240)
        let pictures = [Picture(size: size), Picture(size: size)]
        pictures[1].luma.update(repeating: 99, count: pictures[1].lumaStride * 240)
        TestPatternPainter(size: size, framesPerSecond: 30).paint(1, into: pictures[0])
        let painter = TestPatternPainter(size: size, framesPerSecond: 30)
        for number in [7, 3, 1] as [Int64] { painter.paint(number, into: pictures[1]) }
        for row in 0..<240 {
            for column in 0..<320 {
                let index = row * pictures[0].lumaStride + column
                guard pictures[0].luma[index] == pictures[1].luma[index] else {
                    Issue.record("row \(row), column \(column) differ")
                    return
                }
            }
        }
    }

    @Test func theCameraKeepsItsRateAndItsTimeOut() throws {
        let camera = try TestPatternCamera(
            specifier: "test-pattern", size: PictureSize(width: 160, height: 120), framesPerSecond: 20)
        let picture = Picture(size: PictureSize(width: 2, height: 2))
        #expect(try camera.capture(into: picture, timeoutMilliseconds: 1_000))
        let first = picture.captureTime
        let firstNumber = picture.number
        for _ in 0..<4 { #expect(try camera.capture(into: picture, timeoutMilliseconds: 1_000)) }
        #expect(picture.size == camera.size)
        #expect((picture.captureTime - first).nanoseconds == (picture.number - firstNumber) * 50_000_000)
        #expect(MonotonicClock.now() >= picture.captureTime)
        #expect(FrameCounterCode.read(from: picture) == Int(picture.number))
        let slow = try TestPatternCamera(
            specifier: "test-pattern", size: PictureSize(width: 160, height: 120), framesPerSecond: 1)
        #expect(try slow.capture(into: picture, timeoutMilliseconds: 1_000))
        #expect(try !slow.capture(into: picture, timeoutMilliseconds: 1))
    }

    @Test func theVariantsDifferInColourAndCounter() throws {
        func seen(_ specifier: DeviceSpecifier) throws -> (redChroma: Int, number: Int?, size: PictureSize) {
            let camera = try TestPatternCamera(
                specifier: specifier, size: PictureSize(width: 160, height: 120), framesPerSecond: 20)
            let picture = Picture(size: PictureSize(width: 2, height: 2))
            #expect(try camera.capture(into: picture, timeoutMilliseconds: 1_000))
            var sum = 0
            for row in 0..<picture.chromaHeight {
                for column in 0..<picture.chromaWidth {
                    sum += Int(picture.redChroma[row * picture.chromaStride + column])
                }
            }
            return (
                sum / (picture.chromaHeight * picture.chromaWidth), FrameCounterCode.read(from: picture), picture.size
            )
        }
        let first = try seen("test-pattern")
        let second = try seen("test-pattern:variant=2,size=320x240")
        print("mean red chroma: \(first.redChroma) and \(second.redChroma)")
        #expect(first.redChroma < 135)
        #expect(second.redChroma > 150)
        #expect(first.number == 0)
        #expect(second.number == 32_768)
        #expect(first.size == PictureSize(width: 160, height: 120))
        #expect(second.size == PictureSize(width: 320, height: 240))
    }

    @Test func impossibleWishesAreRefused() {
        #expect(throws: DeviceError.self) {
            try TestPatternCamera(
                specifier: "test-pattern", size: PictureSize(width: 0, height: 9), framesPerSecond: 30)
        }
        for specifier in ["x", "variant=3", "variant", "size=1x1", "variant=1,", "size=640"] {
            #expect(throws: DeviceError.self, "\(specifier)") {
                try TestPatternCamera(
                    specifier: DeviceSpecifier("test-pattern:\(specifier)"),
                    size: PictureSize(width: 640, height: 480), framesPerSecond: 30)
            }
        }
    }
}
