import Codecs
import MediaTypes

/// A reference picture for screens: eight bars over the upper two thirds, a ramp from black to white below, and a square
/// that steps along the lower edge.
struct ColorCard {
    let picture: Picture
    private var position = 0
    private let side: Int

    init(size: PictureSize) {
        self.init(picture: Picture(size: size))
        let barWidth = size.width / 8 & ~1
        for (index, color) in ColorCard.colors.enumerated() {
            let width = index == 7 ? size.width - 7 * barWidth : barWidth
            picture.fill(
                PictureRectangle(x: index * barWidth, y: 0, width: width, height: size.height * 2 / 3 & ~1),
                with: color)
        }
        let top = size.height * 2 / 3 & ~1
        for column in stride(from: 0, to: size.width, by: 2) {
            picture.fill(
                PictureRectangle(x: column, y: top, width: 2, height: size.height - top - side),
                with: PictureColor(luma: UInt8(16 + column * 219 / size.width)))
        }
        drawSquare(.white)
    }

    /// A picture of somebody else, with a square in it.
    init(picture: Picture) {
        self.picture = picture
        side = max(8, picture.size.height / 16 & ~1)
    }

    /// Moves the square on.
    /// - Returns: what changed.
    mutating func step() -> PictureRegion {
        var region = PictureRegion()
        region.add(drawSquare(.black))
        position = (position + side) % max(side, (picture.size.width - side) & ~1)
        region.add(drawSquare(.white))
        return region
    }

    @discardableResult
    private func drawSquare(_ color: PictureColor) -> PictureRectangle {
        let square = PictureRectangle(x: position, y: (picture.size.height - side) & ~1, width: side, height: side)
        picture.fill(square, with: color)
        return square
    }

    /// White, yellow, cyan, green, magenta, red, blue, black in full strength: BT.601, limited range.
    static let colors = [
        PictureColor(luma: 235), PictureColor(luma: 210, blueChroma: 16, redChroma: 146),
        PictureColor(luma: 170, blueChroma: 166, redChroma: 16),
        PictureColor(luma: 145, blueChroma: 54, redChroma: 34),
        PictureColor(luma: 106, blueChroma: 202, redChroma: 222),
        PictureColor(luma: 81, blueChroma: 90, redChroma: 240),
        PictureColor(luma: 41, blueChroma: 240, redChroma: 110), .black,
    ]
}
