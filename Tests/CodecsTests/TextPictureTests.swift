import MediaTypes
import Realtime
import Testing

@testable import Codecs

@Suite struct TextPictureTests {
    static let screen = PictureSize(width: 640, height: 480)

    /// Light pixels in the columns `columns` of a band.
    func inked(_ picture: Picture, _ columns: Range<Int>) -> Int {
        var count = 0
        for row in 0..<picture.size.height {
            for column in columns where picture.luma[row * picture.lumaStride + column] > 128 { count += 1 }
        }
        return count
    }

    @Test func wordsAreABandOfTheScreensWidthWithLightLettersInTheMiddle() throws {
        let band = try #require(try TextPicture.band(of: "Please wait", screen: TextPictureTests.screen))
        #expect(band.size.width == 640)
        #expect((24...80).contains(band.size.height) && band.size.height % 2 == 0)
        #expect(inked(band, 200..<440) > 300)
        #expect(inked(band, 0..<100) == 0 && inked(band, 540..<640) == 0)
        // The middle of the ink is the middle of the screen.
        let columns = (0..<640).filter { inked(band, $0..<$0 + 1) > 0 }
        let middle = try #require(columns.first) + (columns.count > 1 ? columns[columns.count - 1] : 0)
        #expect(abs(middle - 640) < 8)
        // Top and bottom stay clear: nothing is cut off.
        #expect((0..<640).allSatisfy { band.luma[$0] == 16 })
    }

    @Test(arguments: ["Grüße, Zoë: 12 €", "Добро пожаловать", "Καλώς ήρθατε", "Drzwi są otwarte"])
    func lettersOfEuropeAreDrawn(text: String) throws {
        let band = try #require(try TextPicture.band(of: text, screen: TextPictureTests.screen))
        #expect(inked(band, 0..<640) > 300)
    }

    @Test func whatHasNothingToReadGivesNoBand() throws {
        for text in ["", " ", "\n\n", "\u{7}\t"] {
            #expect(try TextPicture.band(of: text, screen: TextPictureTests.screen) == nil)
        }
    }

    @Test func longTextTakesFourLinesAtMostAndSaysThatMoreWasThere() throws {
        let long = String(repeating: "nobody reads this much on a door station ", count: 40)
        let one = try #require(try TextPicture.band(of: "one", screen: TextPictureTests.screen))
        let band = try #require(try TextPicture.band(of: long, screen: TextPictureTests.screen))
        #expect(band.size.height < 4 * one.size.height && band.size.height > 2 * one.size.height)
    }

    @Test func anyTextAndScreenIsSurvived() throws {
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &random)
        print("seed \(seed)")
        var state = seed | 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<60 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<next(60) {
                if let scalar = Unicode.Scalar(UInt32(next(next(4) == 0 ? 0x11_0000 : 0x500))) {
                    scalars.append(scalar)
                }
            }
            let screen = PictureSize(width: 16 + next(700), height: 16 + next(500))
            let band = try TextPicture.band(of: String(scalars), screen: screen)
            #expect(band.map { $0.size.width == screen.width && $0.size.height <= screen.height } ?? true)
        }
    }

    @Test func withoutAFontTheReasonIsAnError() {
        #expect(throws: CodecError.self) {
            try TextPicture.band(of: "a", screen: TextPictureTests.screen, fontPath: "/no/such/font.ttf")
        }
        #expect(throws: CodecError.self) {
            try TextPicture.band(of: "a", screen: TextPictureTests.screen, fontPath: "/proc/self/status")
        }
    }

    @Test func uprightSansSerifFontsArePreferred() {
        let best = TextFont.rank(of: "/f/NotoSans-Regular.ttf")
        for worse in ["/f/NotoSans-Bold.ttf", "/f/NotoSerif-Regular.ttf", "/f/DejaVuSansMono.ttf"] {
            #expect(TextFont.rank(of: worse) > best)
        }
    }
}
