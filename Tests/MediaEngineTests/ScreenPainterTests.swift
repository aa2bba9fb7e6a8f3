import Codecs
import Glibc
import MediaTypes
import Realtime
import Testing

@testable import MediaEngine

/// What stands on the screen. Pictures for people are left in `.build/test/screens`.
@Suite struct ScreenPainterTests {
    static let sizes = [PictureSize(width: 800, height: 480), PictureSize(width: 1_920, height: 1_080)]

    static var idle: ScreenContent {
        var content = ScreenContent()
        content.title = "Front gate"
        content.room = "Room reception"
        content.state = "Ready; nobody else is here"
        content.mood = .good
        content.addresses = ["Address: 192.168.1.20, fd00::5", "Page: https://192.168.1.20:8080/"]
        return content
    }

    static func keep(_ painter: ScreenPainter, _ name: String) throws {
        mkdir(".build", 0o755)
        mkdir(".build/test", 0o755)
        mkdir(".build/test/screens", 0o755)
        try PNGWriter().write(painter.compositor.picture, to: ".build/test/screens/\(name).png")
    }

    static func painted(_ content: ScreenContent, _ size: PictureSize) -> ScreenPainter {
        let painter = ScreenPainter(size: size, preview: nil)
        painter.arrange(content, sources: [])
        painter.draw()
        return painter
    }

    /// Pixels in a part of the picture whose luma is far from the ground's.
    func inked(_ painter: ScreenPainter, _ rectangle: PictureRectangle) -> Int {
        let picture = painter.compositor.picture
        var count = 0
        for row in rectangle.y..<rectangle.y + rectangle.height {
            for column in rectangle.x..<rectangle.x + rectangle.width
            where abs(Int(picture.luma[row * picture.lumaStride + column]) - Int(ScreenStyle.ground.luma)) > 40 {
                count += 1
            }
        }
        return count
    }

    @Test(arguments: sizes) func theIdlePageHasLegibleLinesOnADarkGround(size: PictureSize) throws {
        let painter = ScreenPainterTests.painted(ScreenPainterTests.idle, size)
        try ScreenPainterTests.keep(painter, "idle-\(size)")
        let whole = inked(painter, PictureRectangle(size))
        #expect(whole > size.width * size.height / 200 && whole < size.width * size.height / 8)
        // Some margin stays free on every side.
        #expect(inked(painter, PictureRectangle(x: 0, y: 0, width: size.width, height: 8)) == 0)
        #expect(inked(painter, PictureRectangle(x: 0, y: size.height - 6, width: size.width, height: 6)) == 0)
        // The addresses stand at the foot.
        let foot = PictureRectangle(
            x: 0, y: size.height * 9 / 10, width: size.width, height: size.height - size.height * 9 / 10)
        #expect(inked(painter, foot) > 100)
        // Letters of the smallest line are at least 20 pixels high on 480 rows.
        #expect(ScreenStyle(size: size).unit * 95 / 100 >= size.height * 20 / 480)
    }

    @Test(arguments: sizes) func callsAndTroublesStandOnTheIdlePage(size: PictureSize) throws {
        var content = ScreenPainterTests.idle
        content.call = "Reception is calling"
        try ScreenPainterTests.keep(ScreenPainterTests.painted(content, size), "ringing-\(size)")
        content.call = ""
        content.state =
            "No connection to the room: cannot connect to ws://192.168.1.2:8080/ws: Connection refused, trying again"
        content.mood = .waiting
        try ScreenPainterTests.keep(ScreenPainterTests.painted(content, size), "trouble-\(size)")
        content.mood = .bad
        content.title = String(repeating: "A long name ", count: 12)
        let painter = ScreenPainterTests.painted(content, size)
        try ScreenPainterTests.keep(painter, "long-\(size)")
        #expect(inked(painter, PictureRectangle(x: 0, y: 0, width: 4, height: size.height)) == 0)
    }

    @Test func onlyTheLineThatChangedIsDrawn() {
        var content = ScreenPainterTests.idle
        let size = ScreenPainterTests.sizes[0]
        let painter = ScreenPainterTests.painted(content, size)
        painter.compositor.forgetChanges()
        let pasted = painter.compositor.pastedCount
        painter.arrange(content, sources: [])
        painter.draw()
        #expect(!painter.compositor.hasChanges && painter.compositor.pastedCount == pasted)
        content.state = "Ready; here: Reception"
        painter.arrange(content, sources: [])
        painter.draw()
        #expect(painter.compositor.pastedCount == pasted + 1)
        #expect(painter.compositor.changes.area > 0 && painter.compositor.changes.area < size.width * size.height / 10)
    }

    @Test(arguments: sizes) func tilesHaveNamesAndMarksAndANewPictureCostsItsTileOnly(size: PictureSize) throws {
        let stage = try PainterStage(names: ["Reception", "Café Zoë", "Gate 2"], size: size)
        stage.content.tiles[1].isMicrophoneMuted = true
        stage.content.tiles[2].isCameraOff = true
        stage.sources[2].setMuted(true)
        stage.content.isMicrophoneMuted = true
        stage.showPreview()
        for index in 0..<3 { stage.send(index) }
        stage.paint()
        try ScreenPainterTests.keep(stage.painter, "tiles-\(size)")
        let compositor = stage.painter.compositor
        let drawn = compositor.drawnCount
        let pasted = compositor.pastedCount
        compositor.forgetChanges()
        stage.paint()
        #expect(!compositor.hasChanges && compositor.drawnCount == drawn && compositor.pastedCount == pasted)
        stage.send(0)
        stage.paint()
        #expect(compositor.drawnCount == drawn + 1)
        // Its name is put back, the others' are not.
        #expect(compositor.pastedCount == pasted + 1)
        let tile = compositor.rectangle(of: 0)
        #expect(compositor.changes.rectangles.allSatisfy { tile.contains($0) })
        // Another mark costs a label.
        compositor.forgetChanges()
        stage.content.tiles[0].isMicrophoneMuted = true
        stage.paint()
        #expect(compositor.drawnCount <= drawn + 2 && compositor.changes.area < 2 * tile.width * tile.height)
    }

    @Test func onePictureWithPreviewNoticeAndCaption() throws {
        let size = ScreenPainterTests.sizes[0]
        let stage = try PainterStage(names: ["Reception"], size: size)
        stage.content.notice = "No connection to the room, trying again"
        stage.content.isMicrophoneMuted = true
        stage.showPreview()
        stage.send(0)
        stage.paint()
        let compositor = stage.painter.compositor
        try ScreenPainterTests.keep(stage.painter, "call-\(size)")
        // A preview alone costs its own pixels.
        compositor.forgetChanges()
        let drawn = compositor.drawnCount
        stage.showPreview()
        stage.paint()
        #expect(compositor.drawnCount == drawn && compositor.changes.area < size.width * size.height / 8)
        #expect(compositor.hasChanges)
        // Away with all of it: the picture is back where they were.
        stage.content.notice = ""
        stage.hidePreview()
        stage.paint()
        try ScreenPainterTests.keep(stage.painter, "plain-\(size)")
        let plain = try PainterStage(names: ["Reception"], size: size)
        plain.send(0)
        plain.paint()
        let difference = stage.difference(from: plain)
        #expect(difference == 0)
    }

    @Test func fromTheIdlePageToACallAndBackNothingStays() throws {
        let size = ScreenPainterTests.sizes[0]
        let stage = try PainterStage(names: ["Reception"], size: size)
        stage.send(0)
        stage.paint()
        var content = ScreenPainterTests.idle
        stage.painter.arrange(content, sources: [])
        stage.painter.draw()
        let fresh = ScreenPainterTests.painted(content, size)
        #expect(PainterStage.difference(stage.painter, fresh) == 0)
        content.call = "Calling…"
        stage.painter.arrange(content, sources: [])
        stage.painter.draw()
        #expect(PainterStage.difference(stage.painter, ScreenPainterTests.painted(content, size)) == 0)
    }

    @Test(arguments: [
        (64, 64), (65, 67), (320, 240), (321, 241), (480, 800), (1_366, 768), (1_920, 1_080), (3_840, 2_160),
    ])
    func anyScreenAndAnyWordsAreDrawn(width: Int, height: Int) throws {
        let stage = try PainterStage(
            names: ["Reception", String(repeating: "W", count: 70)], size: PictureSize(width: width, height: height))
        stage.content.notice = String(repeating: "A notice of many words ", count: 9)
        stage.content.isMicrophoneMuted = true
        for index in 0..<2 { stage.send(index) }
        stage.showPreview()
        stage.painter.setCaption("The door is open")
        stage.paint()
        stage.content.tiles.removeAll()
        stage.content.title = String(repeating: "Name ", count: 30)
        stage.content.state = stage.content.title
        stage.content.call = "Calling…"
        stage.content.addresses = ["Address: 192.168.1.20", "Page: http://192.168.1.20:8080/"]
        stage.painter.arrange(stage.content, sources: [])
        stage.painter.draw()
        let lit = inked(stage.painter, PictureRectangle(x: 0, y: 0, width: width, height: height / 2))
        #expect(lit > 0 || height < 100)
    }

    @Test func withoutNamesThePictureStaysAsItIs() throws {
        let size = PictureSize(width: 320, height: 240)
        let stage = try PainterStage(names: ["Reception"], size: size)
        stage.content.showsNames = false
        stage.send(0)
        stage.paint()
        #expect(stage.painter.compositor.pastedCount == 0 && stage.painter.compositor.drawnCount >= 1)
    }

    @Test func thePreviewIsAHalfAQuarterOrAnEighth() {
        let room = PictureSize(width: 266, height: 163)
        func size(_ width: Int, _ height: Int) -> String {
            CameraPreview.size(of: PictureSize(width: width, height: height), within: room).description
        }
        #expect(size(640, 480) == "160x120" && size(1_280, 720) == "160x90" && size(160, 120) == "160x120")
    }
}
