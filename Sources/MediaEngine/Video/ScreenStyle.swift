import Codecs
import MediaTypes

/// Colours and sizes of everything that is drawn on a screen. Sizes follow the screen's: what can be read on 7 inches
/// with 480 rows can be read on a wall.
struct ScreenStyle: Hashable {
    static let ground = PictureColor(luma: 26, blueChroma: 132, redChroma: 126)
    /// A tile that waits for its first picture.
    static let waitingTile = PictureColor(luma: 44, blueChroma: 132, redChroma: 126)
    static let title = PictureColor(luma: 235)
    static let words = PictureColor(luma: 190)
    static let quiet = PictureColor(luma: 145)
    static let good = PictureColor(luma: 150, blueChroma: 90, redChroma: 80)
    static let waiting = PictureColor(luma: 170, blueChroma: 60, redChroma: 165)
    static let bad = PictureColor(luma: 115, blueChroma: 105, redChroma: 205)

    /// The screen.
    let size: PictureSize
    /// A row of the idle page in small letters.
    let unit: Int

    init(size: PictureSize) {
        self.size = size
        // Wide screens are not longer than they are high; a tall one has lines of few letters.
        unit = max(10, min(size.height / 20, size.width / 30))
    }

    /// From the edge of the screen, or of a tile.
    var margin: Int { unit / 2 & ~1 }

    static func color(of mood: ScreenContent.Mood) -> PictureColor {
        switch mood {
        case .good: good
        case .waiting: waiting
        case .bad: bad
        }
    }

    /// A name at the lower edge of a tile.
    func name(in tile: PictureRectangle) -> TextStyle {
        var style = TextStyle(
            letterHeight: max(12, min(unit, tile.height / 8)), maximumWidth: max(24, tile.width - 2 * margin))
        style.margin = style.letterHeight / 4
        style.ink = ScreenStyle.title
        style.ground = ScreenStyle.ground
        return style
    }

    /// Words in front of pictures, at the top.
    var notice: TextStyle {
        var style = name(in: PictureRectangle(size))
        style.letterHeight = unit * 6 / 5
        style.margin = unit / 2
        style.maximumLines = 2
        style.isCentred = true
        return style
    }
}
