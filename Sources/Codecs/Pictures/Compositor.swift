import MediaTypes

/// Draws the pictures of several streams into one, tile by tile, with small pictures over them, and only what changed.
///
/// ```
/// ground ─▶ tiles (a stream's picture, or a plain colour) ─▶ overlays (words, marks, the preview), the later on top
/// ```
/// After `draw`, `fill` and `setOverlay` comes `finish`, which puts the overlays back that something was drawn under.
/// `changes` tells what differs since it was taken last.
/// - Thread: confined to one (`cb-screen`); drawing itself allocates nothing beyond the scaler's rows.
package final class Compositor {
    private struct Tile {
        var rectangle: PictureRectangle
        /// Shape of what was drawn last: the bars of another shape need no painting twice.
        var contentSize: PictureSize?
        /// The plain colour that fills it, when there is no picture.
        var color: PictureColor?
        var number: Int64 = -1
        var timestamp = RTPTimestamp(0)
        var captureTime = MonotonicTime.zero
    }

    private struct Overlay {
        var picture: Picture?
        var rectangle = PictureRectangle(x: 0, y: 0, width: 0, height: 0)
        var mustBePasted = false
    }

    /// The composed picture; it is drawn in place, so show it before the next `draw`.
    package let picture: Picture
    /// Tiles drawn, and overlays pasted, since the start, for statistics and tests.
    package private(set) var drawnCount = 0
    package private(set) var pastedCount = 0
    private let ground: PictureColor
    private var changed: PictureRegion
    private var tiles: [Tile] = []
    private var overlays: [Overlay]

    /// - Parameters:
    ///   - size: of the composed picture: the display's.
    ///   - ground: where nothing else is.
    ///   - overlayCount: places for small pictures, one above the other.
    package init(size: PictureSize, ground: PictureColor = .black, overlayCount: Int = 0) {
        picture = Picture(size: size)
        self.ground = ground
        overlays = Array(repeating: Overlay(), count: overlayCount)
        tiles.reserveCapacity(9)
        changed = PictureRegion(PictureRectangle(size))
        picture.fill(PictureRectangle(size), with: ground)
    }

    // MARK: What changed

    package var changes: PictureRegion { changed }

    package var hasChanges: Bool { !changed.isEmpty }

    /// What was drawn until now is on show.
    package func forgetChanges() { changed.removeAll() }

    /// Nothing of the picture is on show any more, though it is still right.
    package func changeEverything() { note(PictureRectangle(picture.size)) }

    // MARK: Tiles

    /// How many streams are shown; another count lays the grid out anew and clears it.
    package var tileCount: Int {
        get { tiles.count }
        set {
            guard newValue != tiles.count else { return }
            tiles.removeAll(keepingCapacity: true)
            if newValue > 0 {
                let layout = GridLayout(count: newValue, canvas: picture.size)
                for tile in 0..<newValue { tiles.append(Tile(rectangle: layout.rectangle(of: tile))) }
            }
            paintGround(PictureRectangle(picture.size))
        }
    }

    /// Where a tile lies in the composed picture.
    package func rectangle(of tile: Int) -> PictureRectangle { tiles[tile].rectangle }

    /// Draws a stream's picture in its tile, unless that very picture (by number and times) is there already.
    /// - Parameter bars: what is beside the picture, when its shape is not the tile's.
    /// - Returns: whether anything was drawn.
    @discardableResult
    package func draw(_ source: Picture, tile index: Int, bars: PictureColor = .black) -> Bool {
        let last = tiles[index]
        let isSame =
            last.contentSize == source.size && last.number == source.number && last.timestamp == source.timestamp
            && last.captureTime == source.captureTime
        guard !isSame else { return false }
        let paintsBars = last.contentSize != source.size
        let place = PictureScaler.draw(source, in: last.rectangle, of: picture, bars: paintsBars ? bars : nil)
        tiles[index].contentSize = source.size
        tiles[index].color = nil
        tiles[index].number = source.number
        tiles[index].timestamp = source.timestamp
        tiles[index].captureTime = source.captureTime
        drawnCount += 1
        picture.captureTime = source.captureTime
        picture.timestamp = source.timestamp
        note(paintsBars ? last.rectangle : place)
        return true
    }

    /// Fills a tile with one colour, unless it is so already.
    package func fill(tile index: Int, with color: PictureColor) {
        guard tiles[index].color != color || tiles[index].contentSize != nil else { return }
        picture.fill(tiles[index].rectangle, with: color)
        tiles[index].contentSize = nil
        tiles[index].color = color
        drawnCount += 1
        note(tiles[index].rectangle)
    }

    // MARK: Overlays

    /// Puts a small picture at a place with even numbers, over tiles and lower overlays; nil takes it away, and so does
    /// one that does not fit. The same picture at the same place is drawn again: its content is another.
    package func setOverlay(_ index: Int, _ small: Picture?, x: Int = 0, y: Int = 0) {
        let old = overlays[index]
        let rectangle = PictureRectangle(x: x, y: y, width: small?.size.width ?? 0, height: small?.size.height ?? 0)
        guard let small, rectangle.isInside(picture.size) else {
            overlays[index].picture = nil
            overlays[index].mustBePasted = false
            if old.picture != nil { paintGround(old.rectangle) }
            return
        }
        overlays[index].picture = small
        overlays[index].rectangle = rectangle
        overlays[index].mustBePasted = true
        if old.picture != nil && !rectangle.contains(old.rectangle) { paintGround(old.rectangle) }
    }

    /// Completes the picture. Tiles that lost something under an overlay must be drawn before.
    package func finish() {
        for index in overlays.indices where overlays[index].mustBePasted {
            overlays[index].mustBePasted = false
            guard let small = overlays[index].picture else { continue }
            let rectangle = overlays[index].rectangle
            picture.paste(small, x: rectangle.x, y: rectangle.y)
            pastedCount += 1
            note(rectangle, above: index)
        }
    }

    // MARK: Parts

    /// Takes away what is there; whatever belongs there is drawn again.
    private func paintGround(_ rectangle: PictureRectangle) {
        picture.fill(rectangle, with: ground)
        for index in tiles.indices where tiles[index].rectangle.overlaps(rectangle) {
            tiles[index].contentSize = nil
            tiles[index].color = nil
        }
        note(rectangle)
    }

    /// Something was drawn: overlays above it are hurt.
    private func note(_ rectangle: PictureRectangle, above lower: Int = -1) {
        changed.add(rectangle)
        picture.number += 1
        for index in overlays.indices
        where index > lower && overlays[index].picture != nil && overlays[index].rectangle.overlaps(rectangle) {
            overlays[index].mustBePasted = true
        }
    }
}
