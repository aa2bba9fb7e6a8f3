import MediaTypes
import Testing

@testable import Devices

/// Tables of real cameras against wishes.
@Suite struct CameraNegotiationTests {
    typealias Side = CameraMode.SideRange
    static let vga = PictureSize(width: 640, height: 480)
    static let hd = PictureSize(width: 1_280, height: 720)

    static func modes(
        _ format: StaticString, _ sizes: [(Int, Int)], _ rates: [Double], isEmulated: Bool = false
    ) -> [CameraMode] {
        sizes.map { width, height in
            CameraMode(
                FourCC(format), PictureSize(width: width, height: height), rates: rates.map { $0...$0 },
                isEmulated: isEmulated)
        }
    }

    static func choose(_ modes: [CameraMode], _ size: PictureSize, _ rate: Double = 30) -> String {
        guard let choice = CameraNegotiation.choose(from: modes, size: size, framesPerSecond: rate) else {
            return "none"
        }
        return "\(choice.pixelFormat) \(choice.size) \(choice.framesPerSecond.map { "\($0)" } ?? "?")"
    }

    /// A usual USB 2 camera: raw pictures are slow when they are large.
    static let usb =
        modes("YUYV", [(640, 480), (320, 240), (160, 120)], [30, 15]) + modes("YUYV", [(1_280, 720)], [10, 5])
        + modes("MJPG", [(640, 480), (320, 240), (1_280, 720), (1_920, 1_080)], [30, 15])
        + modes("YU12", [(640, 480), (320, 240), (1_280, 720), (1_920, 1_080)], [30, 15], isEmulated: true)
        + modes("RGB3", [(640, 480)], [30], isEmulated: true)

    @Test func theCheapestFormatWithTheSizeAndRateIsTaken() {
        #expect(Self.choose(Self.usb, Self.vga) == "YUYV 640x480 30.0")
        #expect(Self.choose(Self.usb, Self.hd) == "MJPG 1280x720 30.0")
        #expect(Self.choose(Self.usb, Self.hd, 10) == "YUYV 1280x720 10.0")
        #expect(Self.choose(Self.usb, PictureSize(width: 1_920, height: 1_080)) == "MJPG 1920x1080 30.0")
        #expect(Self.choose(Self.usb + Self.modes("NV12", [(640, 480)], [30]), Self.vga) == "NV12 640x480 30.0")
    }

    @Test func theNearestSizeAndRateAreTaken() {
        #expect(Self.choose(Self.usb, PictureSize(width: 600, height: 450)) == "YUYV 640x480 30.0")
        #expect(Self.choose(Self.usb, PictureSize(width: 4_000, height: 3_000)) == "MJPG 1920x1080 30.0")
        #expect(Self.choose(Self.usb, PictureSize(width: 16, height: 16)).hasPrefix("YUYV 160x120"))
        #expect(Self.choose(Self.usb, Self.vga, 25) == "YUYV 640x480 30.0")
        #expect(Self.choose(Self.usb, Self.vga, 60) == "YUYV 640x480 30.0")
        #expect(Self.choose(Self.modes("YUYV", [(640, 360), (800, 600)], [30]), Self.vga) == "YUYV 800x600 30.0")
    }

    @Test func rangesOfSizesAndRatesAreUsed() {
        let sensor = CameraMode(
            FourCC("YU12"), width: Side(minimum: 32, maximum: 2_592, step: 2),
            height: Side(minimum: 32, maximum: 1_944, step: 2), rates: [1...90])
        #expect(Self.choose([sensor], Self.vga, 25) == "YU12 640x480 25.0")
        #expect(Self.choose([sensor], PictureSize(width: 3_000, height: 2_000), 120) == "YU12 2592x1944 90.0")
        let coarse = CameraMode(
            FourCC("NV12"), width: Side(minimum: 64, maximum: 1_000, step: 48),
            height: Side(minimum: 64, maximum: 1_000, step: 48), rates: [5...30])
        #expect(Self.choose([coarse], Self.vga) == "NV12 640x496 30.0")
        #expect(coarse.width.nearest(to: 1_000) == 976 && coarse.width.nearest(to: 1) == 64)
    }

    @Test func whatNobodyCanConvertIsLeftToLibv4l() {
        let bayer =
            Self.modes("BA81", [(640, 480)], [30]) + Self.modes("H264", [(640, 480)], [30])
            + Self.modes("YU12", [(640, 480)], [30], isEmulated: true)
            + Self.modes("BGR3", [(640, 480)], [30], isEmulated: true)
        #expect(Self.choose(bayer, Self.vga) == "YU12 640x480 30.0")
        #expect(Self.choose(Self.modes("H264", [(640, 480)], [30]), Self.vga) == "none")
        #expect(Self.choose([], Self.vga) == "none")
    }

    @Test func aCameraThatTellsNoRatesIsUsed() {
        let any = Side(minimum: 16, maximum: 4_096, step: 2)
        let silent = CameraMode(FourCC("YUYV"), width: any, height: any)
        #expect(Self.choose([silent], Self.vga) == "YUYV 640x480 ?")
        // One that does tell is safer.
        #expect(Self.choose([silent] + Self.modes("MJPG", [(640, 480)], [30]), Self.vga) == "MJPG 640x480 30.0")
    }

    @Test func oddWidthsAreAvoided() {
        #expect(Self.choose(Self.modes("YUYV", [(641, 480), (320, 240)], [30]), Self.vga) == "YUYV 320x240 30.0")
    }

    @Test func modesAreDescribedForPeople() {
        #expect(
            CameraMode.summary(of: Self.usb) == [
                "YUYV 640x480 (30), 320x240 (30), 160x120 (30), 1280x720 (10)",
                "MJPG 640x480 (30), 320x240 (30), 1280x720 (30), 1920x1080 (30)",
            ])
        let range = CameraMode(
            FourCC("YU12"), width: Side(minimum: 32, maximum: 2_592, step: 2),
            height: Side(minimum: 32, maximum: 1_944, step: 2), rates: [1...12.5])
        #expect(
            CameraMode.summary(of: [range] + Self.modes("H264", [(640, 480)], [30]))
                == ["YU12 32x32 to 2592x1944 (12.5)", "also H264"])
        #expect(FourCC("Y16 ").description == "Y16" && FourCC(0xFF00_0001).description == "????")
        #expect(FourCC("YUYV").rawValue == 0x5659_5559)
    }

    @Test func timestampsCountNinetyThousandASecondWithoutASeam() {
        let time = MonotonicTime(nanoseconds: 47_721_999_999_999)
        let next = time + .milliseconds(100)
        #expect(RTPTimestamp.ofCapture(at: time).distance(to: .ofCapture(at: next)) == 9_000)
        let far = MonotonicTime(nanoseconds: 400 * 86_400 * 1_000_000_000)
        #expect(RTPTimestamp.ofCapture(at: far).distance(to: .ofCapture(at: far + .seconds(Int64(1)))) == 90_000)
    }
}
