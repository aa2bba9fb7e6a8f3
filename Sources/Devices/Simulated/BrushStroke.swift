/// The shape of one thick line with round ends.
struct BrushStroke: BitwiseCopyable {
    var startX: Double
    var startY: Double
    var endX: Double
    var endY: Double
    var radius: Double

    /// Nothing is covered above or below.
    var top: Double { min(startY, endY) - radius - 1 }
    var bottom: Double { max(startY, endY) + radius + 1 }

    /// Where a row can be covered; a little wider than it is.
    func span(ofRow y: Double) -> (left: Double, right: Double) {
        let deltaY = endY - startY
        let reach = radius + 1
        guard abs(deltaY) > 0.001 else { return (min(startX, endX) - reach, max(startX, endX) + reach) }
        // The part of the line's middle whose rows are within reach of this row.
        let first = min(1, max(0, (y - reach - startY) / deltaY))
        let second = min(1, max(0, (y + reach - startY) / deltaY))
        let firstX = startX + first * (endX - startX)
        let secondX = startX + second * (endX - startX)
        return (min(firstX, secondX) - reach, max(firstX, secondX) + reach)
    }

    /// How much of the pixel around a point is covered, 0 … 1.
    func coverage(x: Double, y: Double) -> Double {
        let (deltaX, deltaY) = (endX - startX, endY - startY)
        let lengthSquared = deltaX * deltaX + deltaY * deltaY
        let (offsetX, offsetY) = (x - startX, y - startY)
        let along = lengthSquared > 0 ? min(1, max(0, (offsetX * deltaX + offsetY * deltaY) / lengthSquared)) : 0
        let (distanceX, distanceY) = (offsetX - along * deltaX, offsetY - along * deltaY)
        let distance = (distanceX * distanceX + distanceY * distanceY).squareRoot()
        return min(1, max(0, radius + 0.5 - distance))
    }
}
