import Codecs
import MediaTypes
import Testing

@testable import Devices

/// What needs no card; the rest is tested on the simulated board (`checks_display.py`).
@Suite struct KMSTests {
    static let screen = [
        KMSMode(size: PictureSize(width: 1_920, height: 1_080), rate: 60, isPreferred: true),
        KMSMode(size: PictureSize(width: 1_920, height: 1_080), rate: 60, isInterlaced: true),
        KMSMode(size: PictureSize(width: 1_920, height: 1_080), rate: 50),
        KMSMode(size: PictureSize(width: 1_280, height: 720), rate: 59.94),
        KMSMode(size: PictureSize(width: 1_280, height: 720), rate: 50),
        KMSMode(size: PictureSize(width: 640, height: 480), rate: 75),
    ]

    func choice(_ wanted: String?, _ modes: [KMSMode] = screen) -> String? {
        let found = KMSMode.choose(wanted.flatMap { KMSOptions.WantedMode($0) }, from: modes)
        return found.map { "\($0.mode)\($0.isWanted ? "" : " instead")" }
    }

    @Test func theScreensOwnModeIsUsedUnlessAnotherIsNamed() {
        #expect(choice(nil) == "1920x1080@60")
        #expect(choice("1280x720") == "1280x720@60")
        #expect(choice("1280x720@50") == "1280x720@50")
        #expect(choice("1920x1080@60") == "1920x1080@60")
        #expect(choice(nil, []) == nil && choice("640x480", []) == nil)
    }

    @Test func aModeThatTheScreenHasNotIsReplacedByItsOwn() {
        #expect(choice("800x600") == "1920x1080@60 instead")
        #expect(choice("1280x720@75") == "1920x1080@60 instead")
    }

    @Test func aScreenOfFourThousandColumnsGetsTheLargestModeOfItsShapeThatASmallBoardManages() {
        let large = [
            KMSMode(size: PictureSize(width: 3_840, height: 2_160), rate: 60, isPreferred: true),
            KMSMode(size: PictureSize(width: 1_920, height: 1_200), rate: 60),
            KMSMode(size: PictureSize(width: 1_920, height: 1_080), rate: 120),
            KMSMode(size: PictureSize(width: 1_920, height: 1_080), rate: 60),
        ]
        #expect(choice(nil, large) == "1920x1080@60")
        #expect(choice("3840x2160", large) == "3840x2160@60")
        #expect(choice(nil, [large[0]]) == "3840x2160@60")
    }

    @Test func optionsSayWhatIsWanted() throws {
        let options = try KMSOptions(
            specifier: "kms:card=virtio_gpu,connector=HDMI-A-1,mode=1280x720@60,api=legacy")
        #expect(options.card == "virtio_gpu" && options.connector == "HDMI-A-1" && options.interface == .legacy)
        #expect(options.mode == KMSOptions.WantedMode("1280x720@60") && options.mode?.rate == 60)
        let none = try KMSOptions(specifier: "kms")
        #expect(none.card == nil && none.connector == nil && none.mode == nil && none.interface == nil)
    }

    @Test(arguments: [
        "kms:card", "kms:card=", "kms:mode=1280", "kms:mode=1280x720@", "kms:mode=1x1", "kms:mode=1280x720@60@2",
        "kms:api=fast", "kms:screen=1", "kms:card=vc4,,", "kms:mode=x",
    ])
    func whatMakesNoSenseIsRefusedWithWhatIsPossible(text: String) {
        do {
            _ = try DeviceRegistry().openDisplay(DeviceSpecifier(text))
            Issue.record("\(text) was opened")
        } catch .unsupported(let name, let reason) {
            #expect(name == text && !reason.isEmpty)
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func aCardThatIsNotThereIsMissingAndAFileIsNoCard() {
        let registry = DeviceRegistry()
        #expect(throws: DeviceError.missing(name: "kms:card=/dev/dri/card99")) {
            try registry.openDisplay("kms:card=/dev/dri/card99")
        }
        #expect(throws: DeviceError.missing(name: "kms:card=card99")) { try registry.openDisplay("kms:card=card99") }
        #expect(throws: DeviceError.unsupported(name: "kms:card=/dev/null", reason: "/dev/null is not a graphics card"))
        {
            try registry.openDisplay("kms:card=/dev/null")
        }
        #expect(
            DeviceError.noScreen(name: "kms", place: "HDMI-A-1 of /dev/dri/card1").description
                == "'kms': no screen is connected to HDMI-A-1 of /dev/dri/card1")
    }

    @Test func onlyTheRectangleIsWrittenAndColoursAreRight() {
        let picture = Picture(size: PictureSize(width: 64, height: 32))
        picture.fill(PictureRectangle(picture.size), with: PictureColor(luma: 81, blueChroma: 90, redChroma: 240))
        let stride = 64 * 4 + 64
        let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: stride * 32)
        defer { pixels.deallocate() }
        pixels.initialize(repeating: 7, count: stride * 32)
        let part = PictureRectangle(x: 10, y: 6, width: 21, height: 11)
        PictureConverter.writeXRGB(part, of: picture, into: pixels, strideBytes: stride)
        for row in 0..<32 {
            for column in 0..<80 {
                let pixel = (0..<3).map { Int(pixels[row * stride + column * 4 + $0]) }
                let isInside = part.contains(PictureRectangle(x: column, y: row, width: 1, height: 1))
                let isRed = pixel[0] < 8 && pixel[1] < 8 && pixel[2] > 247
                #expect(isInside ? isRed : pixel == [7, 7, 7])
            }
        }
    }
}
