import CYUV
import MediaTypes

extension Picture {
    /// Fills a part with one colour; what lies outside the picture is left out.
    package func fill(_ rectangle: PictureRectangle, with color: PictureColor) {
        let left = min(max(rectangle.x, 0), size.width)
        let top = min(max(rectangle.y, 0), size.height)
        let right = min(max(rectangle.x + rectangle.width, left), size.width)
        let bottom = min(max(rectangle.y + rectangle.height, top), size.height)
        guard right > left, bottom > top else { return }
        for row in top..<bottom {
            luma.advanced(by: row * lumaStride + left).update(repeating: color.luma, count: right - left)
        }
        let chromaLeft = left / 2
        let chromaCount = (right + 1) / 2 - chromaLeft
        for row in (top / 2)..<((bottom + 1) / 2) {
            let offset = row * chromaStride + chromaLeft
            blueChroma.advanced(by: offset).update(repeating: color.blueChroma, count: chromaCount)
            redChroma.advanced(by: offset).update(repeating: color.redChroma, count: chromaCount)
        }
    }

    /// Takes over size, pixels, times and number of another picture.
    package func copy(from source: Picture) {
        resize(to: source.size)
        let result = I420Copy(
            source.luma, Int32(source.lumaStride), source.blueChroma, Int32(source.chromaStride),
            source.redChroma, Int32(source.chromaStride), luma, Int32(lumaStride), blueChroma, Int32(chromaStride),
            redChroma, Int32(chromaStride), Int32(size.width), Int32(size.height))
        precondition(result == 0, "libyuv copies a picture of a real size")
        copyDetails(from: source)
    }

    /// Copies another picture into this one, at a place with even numbers; all of it fits.
    package func paste(_ source: Picture, x: Int, y: Int) {
        let rectangle = PictureRectangle(x: x, y: y, width: source.size.width, height: source.size.height)
        precondition(rectangle.isInside(size) && x % 2 == 0 && y % 2 == 0, "the pasted picture fits")
        let lumaStart = luma + y * lumaStride + x
        let chromaOffset = y / 2 * chromaStride + x / 2
        let result = I420Copy(
            source.luma, Int32(source.lumaStride), source.blueChroma, Int32(source.chromaStride), source.redChroma,
            Int32(source.chromaStride), lumaStart, Int32(lumaStride), blueChroma + chromaOffset, Int32(chromaStride),
            redChroma + chromaOffset, Int32(chromaStride), Int32(source.size.width), Int32(source.size.height))
        precondition(result == 0, "libyuv copies a picture of a real size")
    }

    /// Takes over times and number of another picture.
    package func copyDetails(from source: Picture) {
        captureTime = source.captureTime
        timestamp = source.timestamp
        number = source.number
    }
}
