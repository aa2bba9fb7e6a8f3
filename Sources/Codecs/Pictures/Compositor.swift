import MediaTypes

/// Draws the pictures of several streams into one, tile by tile, and only the tiles whose picture changed.
///
/// - Thread: confined to one (`cb-screen`); `draw` itself allocates nothing.
package final class Compositor {
    private struct Tile {
        var rectangle: PictureRectangle
        /// Shape of what was drawn last: the bars of another shape need no painting twice.
        var contentSize: PictureSize?
        var number: Int64 = -1
        var timestamp = RTPTimestamp(0)
        var captureTime = MonotonicTime.zero
    }

    /// The composed picture; it is drawn in place, so show it before the next `draw`.
    package let picture: Picture
    /// Tiles drawn since the start, for statistics and tests.
    package private(set) var drawnCount = 0
    private var tiles: [Tile] = []

    /// - Parameter size: of the composed picture: the display's.
    package init(size: PictureSize) {
        picture = Picture(size: size)
        tiles.reserveCapacity(9)
    }

    /// How many streams are shown; another count lays the grid out anew and clears it.
    package var tileCount: Int {
        get { tiles.count }
        set {
            guard newValue != tiles.count else { return }
            tiles.removeAll(keepingCapacity: true)
            picture.fillBlack()
            picture.number += 1
            guard newValue > 0 else { return }
            let layout = GridLayout(count: newValue, canvas: picture.size)
            for tile in 0..<newValue { tiles.append(Tile(rectangle: layout.rectangle(of: tile))) }
        }
    }

    /// Where a tile lies in the composed picture.
    package func rectangle(of tile: Int) -> PictureRectangle { tiles[tile].rectangle }

    /// Draws a stream's picture in its tile, unless that very picture (by number and times) is there already.
    /// - Returns: whether anything was drawn.
    @discardableResult
    package func draw(_ source: Picture, tile index: Int) -> Bool {
        let last = tiles[index]
        let isSame =
            last.contentSize == source.size && last.number == source.number && last.timestamp == source.timestamp
            && last.captureTime == source.captureTime
        guard !isSame else { return false }
        PictureScaler.draw(
            source, in: last.rectangle, of: picture, clearsBars: last.contentSize != source.size)
        tiles[index].contentSize = source.size
        tiles[index].number = source.number
        tiles[index].timestamp = source.timestamp
        tiles[index].captureTime = source.captureTime
        drawnCount += 1
        picture.number += 1
        picture.captureTime = source.captureTime
        picture.timestamp = source.timestamp
        return true
    }

    /// Blackens a tile: its stream switched its camera off.
    package func clear(tile index: Int) {
        guard tiles[index].contentSize != nil else { return }
        picture.fill(tiles[index].rectangle, with: .black)
        tiles[index].contentSize = nil
        picture.number += 1
    }

    /// Blackens everything: each tile is drawn anew, whether its picture changed or not.
    package func reset() {
        for index in tiles.indices { tiles[index].contentSize = nil }
        picture.fillBlack()
        picture.number += 1
    }
}
