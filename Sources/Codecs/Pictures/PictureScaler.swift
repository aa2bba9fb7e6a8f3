import CYUV
import MediaTypes

/// Draws a picture in another size: whole, in its own shape, with bars of a colour where the shapes differ.
///
/// - Thread: any, when nobody else uses the two pictures. libyuv takes a few rows of memory per call while it scales.
package enum PictureScaler {
    /// Scales the source into a part of the target.
    /// - Parameters:
    ///   - rectangle: inside the target, even numbers (the picture's own odd edge excepted).
    ///   - bars: the colour beside the picture; nil when it is there already.
    /// - Returns: where the picture is now.
    @discardableResult
    package static func draw(
        _ source: Picture, in rectangle: PictureRectangle, of target: Picture, bars: PictureColor? = .black
    ) -> PictureRectangle {
        precondition(rectangle.isInside(target.size), "the rectangle lies inside the target")
        precondition(rectangle.x % 2 == 0 && rectangle.y % 2 == 0, "the rectangle begins on a chroma sample")
        let fitted = rectangle.fitting(source.size)
        if let bars, fitted != rectangle { paintBars(bars, around: fitted, in: rectangle, of: target) }
        let lumaOffset = fitted.y * target.lumaStride + fitted.x
        let chromaOffset = fitted.y / 2 * target.chromaStride + fitted.x / 2
        // Box averages when shrinking and interpolates when enlarging.
        let result = I420Scale(
            source.luma, Int32(source.lumaStride), source.blueChroma, Int32(source.chromaStride), source.redChroma,
            Int32(source.chromaStride), Int32(source.size.width), Int32(source.size.height),
            target.luma + lumaOffset, Int32(target.lumaStride), target.blueChroma + chromaOffset,
            Int32(target.chromaStride), target.redChroma + chromaOffset, Int32(target.chromaStride),
            Int32(fitted.width), Int32(fitted.height), kFilterBox)
        precondition(result == 0, "libyuv scales between real sizes")
        return fitted
    }

    /// Fills the whole target, which keeps its size and takes over times and number.
    package static func scale(_ source: Picture, into target: Picture) {
        if source.size == target.size {
            target.copy(from: source)
        } else {
            draw(source, in: PictureRectangle(target.size), of: target)
            target.copyDetails(from: source)
        }
    }

    private static func paintBars(
        _ color: PictureColor, around inner: PictureRectangle, in outer: PictureRectangle, of target: Picture
    ) {
        let bottom = inner.y + inner.height
        let right = inner.x + inner.width
        target.fill(
            PictureRectangle(x: outer.x, y: outer.y, width: outer.width, height: inner.y - outer.y), with: color)
        target.fill(
            PictureRectangle(x: outer.x, y: bottom, width: outer.width, height: outer.y + outer.height - bottom),
            with: color)
        target.fill(
            PictureRectangle(x: outer.x, y: inner.y, width: inner.x - outer.x, height: inner.height), with: color)
        target.fill(
            PictureRectangle(x: right, y: inner.y, width: outer.x + outer.width - right, height: inner.height),
            with: color)
    }
}
