import Codecs
import MediaTypes
import Telemetry

/// Composes what a screen shows, from the content that the endpoint hands over, the streams' pictures and the own one.
///
/// Words are drawn once, when they change, and kept as small pictures; a new picture of a stream costs its tile and the
/// small pictures over it, and nothing else.
/// - Thread: `cb-screen`.
final class ScreenPainter {
    /// Names beyond this many are not shown.
    static let maximumNames = 16

    /// The places of small pictures, lower ones first.
    private enum Overlay {
        static let names = 0
        static let preview = names + maximumNames
        static let previewMark = preview + 1
        static let notice = previewMark + 1
        static let lines = notice + 1
        static let caption = lines + IdlePage.maximumLines
        static let count = caption + 1
    }

    private struct Place {
        var tile: ScreenContent.Tile?
        var source: VideoSource?
        var style: TextStyle?
    }

    let compositor: Compositor
    private let style: ScreenStyle
    private let preview: CameraPreview?
    private let faults = Counter("display.faults")
    private var content = ScreenContent()
    private var places: [Place] = []
    private var cameraOff: Picture?
    private var isIdle = false
    private var idlePage = IdlePage()
    private var showsPreview = false
    private var previewSize = PictureSize(width: 0, height: 0)

    init(size: PictureSize, preview: CameraPreview?) {
        compositor = Compositor(size: size, ground: ScreenStyle.ground, overlayCount: Overlay.count)
        style = ScreenStyle(size: size)
        self.preview = preview
        preview?.setScreen(size)
    }

    // MARK: What is to be shown

    /// Lays the screen out for what there is now: tiles of the content in its order, then sources that it does not know.
    func arrange(_ newContent: ScreenContent, sources: [VideoSource]) {
        let old = content
        content = newContent
        var arranged: [Place] = []
        for tile in content.tiles {
            arranged.append(Place(tile: tile, source: sources.first { $0.name == tile.id }))
        }
        for source in sources where !content.tiles.contains(where: { $0.id == source.name }) {
            arranged.append(Place(source: source))
        }
        // Another number clears the screen; with the same, a tile that changed hands is painted over.
        let isNewGrid = arranged.count != compositor.tileCount
        compositor.tileCount = arranged.count
        for index in arranged.indices where index >= places.count || arranged[index].source !== places[index].source {
            compositor.fill(tile: index, with: ScreenStyle.waitingTile)
        }
        let former = places
        places = arranged
        for index in 0..<ScreenPainter.maximumNames {
            nameTile(index, before: index < former.count ? former[index] : nil, isNewGrid: isNewGrid)
        }
        let wasIdle = isIdle
        isIdle = places.isEmpty
        if isIdle != wasIdle || (isIdle && content != old) { drawIdlePage() }
        let notice = isIdle ? "" : content.notice
        if notice != (wasIdle ? "" : old.notice) { drawNotice(notice) }
        if content.isMicrophoneMuted != old.isMicrophoneMuted { drawPreviewMark() }
    }

    /// Words in a band at the foot; nil takes them away.
    func setCaption(_ text: String?) {
        let band = text.flatMap { text in
            picture { () throws(CodecError) in try TextPicture.band(of: text, screen: style.size) }
        }
        let y = band.map { (style.size.height - $0.size.height) & ~1 } ?? 0
        compositor.setOverlay(Overlay.caption, band, x: 0, y: y)
    }

    // MARK: Every picture

    /// Takes the newest pictures and draws what changed.
    func draw() {
        // First, because what a preview that goes leaves behind is the tiles'.
        drawPreview()
        for index in places.indices {
            guard let source = places[index].source else {
                drawWithoutSource(index)
                continue
            }
            source.advancePicture()
            if source.showsCameraOff {
                drawCameraOff(index)
            } else if let picture = source.shown {
                compositor.draw(picture, tile: index, bars: ScreenStyle.ground)
            } else {
                compositor.fill(tile: index, with: ScreenStyle.waitingTile)
            }
        }
        compositor.finish()
    }

    private func drawWithoutSource(_ index: Int) {
        if places[index].tile?.isCameraOff == true {
            drawCameraOff(index)
        } else {
            compositor.fill(tile: index, with: ScreenStyle.waitingTile)
        }
    }

    private func drawCameraOff(_ index: Int) {
        let picture = cameraOff ?? ScreenPainter.makeCameraOff()
        cameraOff = picture
        compositor.draw(picture, tile: index, bars: PlaceholderPicture.cameraOff.background)
    }

    private static func makeCameraOff() -> Picture {
        let picture = Picture(size: PictureSize(width: 320, height: 240))
        PlaceholderPicture.cameraOff.draw(in: picture)
        return picture
    }

    private func drawPreview() {
        guard let preview else { return }
        let latest = preview.takeLatest()
        guard preview.isOpen else {
            guard showsPreview else { return }
            showsPreview = false
            compositor.setOverlay(Overlay.preview, nil)
            drawPreviewMark()
            return
        }
        guard let latest, fits(latest.size) else { return }
        let corner = preview.place.corner(of: latest.size, on: style.size, margin: style.margin)
        compositor.setOverlay(Overlay.preview, latest, x: corner.x, y: corner.y)
        guard !showsPreview || latest.size != previewSize else { return }
        showsPreview = true
        previewSize = latest.size
        drawPreviewMark()
    }

    /// A picture made for a former screen may be larger than this one.
    private func fits(_ size: PictureSize) -> Bool {
        size.width <= style.size.width / 2 && size.height <= style.size.height / 2
    }

    // MARK: Words

    private func nameTile(_ index: Int, before: Place?, isNewGrid: Bool) {
        let overlay = Overlay.names + index
        guard index < places.count, content.showsNames, let tile = places[index].tile else {
            if before?.style != nil { compositor.setOverlay(overlay, nil) }
            return
        }
        let rectangle = compositor.rectangle(of: index)
        var look = style.name(in: rectangle)
        if tile.isMicrophoneMuted { look.marks.append(.init(.microphoneMuted, ScreenStyle.bad)) }
        if tile.isCameraOff { look.marks.append(.init(.cameraOff, ScreenStyle.bad)) }
        places[index].style = look
        guard look != before?.style || tile != before?.tile || isNewGrid else { return }
        let label = picture { () throws(CodecError) in
            try TextPicture.label(tile.name.isEmpty ? tile.id : tile.name, look)
        }
        guard let label, label.size.height + 2 * style.margin <= rectangle.height else {
            compositor.setOverlay(overlay, nil)
            return
        }
        compositor.setOverlay(
            overlay, label, x: rectangle.x + style.margin,
            y: (rectangle.y + rectangle.height - label.size.height - style.margin) & ~1)
    }

    /// Lines that are the same at the same place stay.
    private func drawIdlePage() {
        let former = idlePage.lines
        idlePage = IdlePage()
        if isIdle {
            let style = style
            do throws(CodecError) {
                idlePage = try IdlePage(content, style: style, former: former)
            } catch {
                note(error)
            }
        }
        for index in 0..<IdlePage.maximumLines {
            let old = index < former.count ? former[index] : nil
            let new = index < idlePage.lines.count ? idlePage.lines[index] : nil
            if new?.picture === old?.picture && new?.x == old?.x && new?.y == old?.y { continue }
            compositor.setOverlay(Overlay.lines + index, new?.picture, x: new?.x ?? 0, y: new?.y ?? 0)
        }
    }

    private func drawNotice(_ text: String) {
        let style = style
        let label = text.isEmpty ? nil : picture { () throws(CodecError) in try TextPicture.label(text, style.notice) }
        let x = label.map { max(0, style.size.width - $0.size.width) / 2 & ~1 } ?? 0
        // Not at the very top, where a face's picture has its hair and a test pattern its number.
        compositor.setOverlay(Overlay.notice, label, x: x, y: (style.size.height / 8 + 2) & ~1)
    }

    private func drawPreviewMark() {
        guard showsPreview, content.isMicrophoneMuted, let preview else {
            compositor.setOverlay(Overlay.previewMark, nil)
            return
        }
        var look = style.name(in: PictureRectangle(style.size))
        look.marks = [.init(.microphoneMuted, ScreenStyle.bad)]
        let label = picture { () throws(CodecError) in try TextPicture.label("", look) }
        let corner = preview.place.corner(of: previewSize, on: style.size, margin: style.margin)
        compositor.setOverlay(Overlay.previewMark, label, x: corner.x, y: corner.y)
    }

    private func picture(_ make: () throws(CodecError) -> Picture?) -> Picture? {
        do throws(CodecError) {
            return try make()
        } catch {
            note(error)
            return nil
        }
    }

    private func note(_ error: CodecError) {
        faults.increment()
        Log.warning(
            "display", "no text can be shown: \(error == .file(code: 0) ? "no font is installed" : "\(error)")")
    }
}
