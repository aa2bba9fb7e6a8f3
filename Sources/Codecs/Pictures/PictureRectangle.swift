import MediaTypes

/// A part of a picture, in pixels from its upper left corner.
///
/// For drawing all four numbers are even, so that chroma samples are not shared with what lies beside.
package struct PictureRectangle: Hashable, Sendable, BitwiseCopyable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// All of a picture of this size.
    package init(_ size: PictureSize) {
        self.init(x: 0, y: 0, width: size.width, height: size.height)
    }

    package var size: PictureSize { PictureSize(width: width, height: height) }

    package func isInside(_ size: PictureSize) -> Bool {
        x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= size.width && y + height <= size.height
    }

    /// Whether all of another rectangle lies in this one.
    package func contains(_ other: PictureRectangle) -> Bool {
        other.x >= x && other.y >= y && other.x + other.width <= x + width && other.y + other.height <= y + height
    }

    /// Whether the two share a pixel.
    package func overlaps(_ other: PictureRectangle) -> Bool {
        x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }

    /// The smallest rectangle around both.
    package func union(_ other: PictureRectangle) -> PictureRectangle {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PictureRectangle(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The largest rectangle of the content's shape, in the middle of this one.
    package func fitting(_ content: PictureSize) -> PictureRectangle {
        guard content.width > 0, content.height > 0, content != size else { return self }
        var fitted = self
        if content.width * height > width * content.height {
            fitted.height = min(height, max(2, (width * content.height / content.width + 1) & ~1))
            fitted.y = y + (height - fitted.height) / 2 & ~1
        } else {
            fitted.width = min(width, max(2, (height * content.width / content.height + 1) & ~1))
            fitted.x = x + (width - fitted.width) / 2 & ~1
        }
        return fitted
    }
}
