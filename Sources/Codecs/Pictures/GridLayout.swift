import MediaTypes

/// Divides a screen among the streams that are shown: equal tiles in rows, the last row centred.
///
/// ```
/// 1  ┌───┐   2  ┌─┬─┐   3  ┌─┬─┐   5  ┌┬┬┐
///    │   │      │ │ │      ├─┴─┤      ├┴┴┤
///    └───┘      └─┴─┘      └ ▢ ┘      └▢▢┘
/// ```
package struct GridLayout: Equatable, Sendable {
    package let canvas: PictureSize
    package let count: Int
    package let columns: Int
    package let rows: Int

    /// - Parameter count: tiles, 1 or more.
    package init(count: Int, canvas: PictureSize) {
        precondition(count > 0, "a grid has a tile")
        self.canvas = canvas
        self.count = count
        var columns = 1
        while columns * columns < count { columns += 1 }
        let rows = (count + columns - 1) / columns
        // A tall screen has more rows than columns.
        let isTall = canvas.height > canvas.width
        self.columns = isTall ? rows : columns
        self.rows = isTall ? (count + rows - 1) / rows : rows
    }

    /// Where a tile lies: even numbers, inside the canvas, touching no other tile. A single tile is the whole canvas.
    package func rectangle(of tile: Int) -> PictureRectangle {
        precondition(tile >= 0 && tile < count, "the tile is one of the grid")
        guard count > 1 else { return PictureRectangle(canvas) }
        let width = canvas.width / columns & ~1
        let height = canvas.height / rows & ~1
        let row = tile / columns
        let tilesInRow = min(columns, count - row * columns)
        let left = (canvas.width - tilesInRow * width) / 2 & ~1
        let top = (canvas.height - rows * height) / 2 & ~1
        return PictureRectangle(
            x: left + tile % columns * width, y: top + row * height, width: width, height: height)
    }
}
