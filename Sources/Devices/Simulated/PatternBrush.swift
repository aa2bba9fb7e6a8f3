import MediaTypes

/// Paints thick lines with round ends and smooth edges into a picture; a line of no length is a disc.
struct PatternBrush {
    let picture: Picture

    /// All in pixels of the luma plane; `radius` is half the thickness.
    func line(
        fromX startX: Double, y startY: Double, toX endX: Double, y endY: Double, radius: Double, color: PatternColor
    ) {
        let full = BrushStroke(startX: startX, startY: startY, endX: endX, endY: endY, radius: radius)
        paint(
            full, on: picture.luma, stride: picture.lumaStride, width: picture.size.width,
            height: picture.size.height, value: color.luma)
        let half = BrushStroke(
            startX: startX / 2, startY: startY / 2, endX: endX / 2, endY: endY / 2, radius: radius / 2)
        paintChroma(half, on: picture.blueChroma, value: color.blueChroma)
        paintChroma(half, on: picture.redChroma, value: color.redChroma)
    }

    private func paintChroma(_ stroke: BrushStroke, on plane: UnsafeMutablePointer<UInt8>, value: UInt8) {
        paint(
            stroke, on: plane, stride: picture.chromaStride, width: picture.chromaWidth, height: picture.chromaHeight,
            value: value)
    }

    private func paint(
        _ stroke: BrushStroke, on plane: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int, value: UInt8
    ) {
        for row in clamped(stroke.top, stroke.bottom, to: height) {
            let pixels = plane.advanced(by: row * stride)
            let span = stroke.span(ofRow: Double(row) + 0.5)
            for column in clamped(span.left, span.right, to: width) {
                let coverage = stroke.coverage(x: Double(column) + 0.5, y: Double(row) + 0.5)
                guard coverage > 0 else { continue }
                let mixed = Double(pixels[column]) * (1 - coverage) + Double(value) * coverage
                pixels[column] = UInt8(clamping: Int(mixed + 0.5))
            }
        }
    }

    /// The whole pixels from `first` to `last` that exist.
    private func clamped(_ first: Double, _ last: Double, to count: Int) -> Range<Int> {
        let lower = min(count, max(0, Int(first)))
        return lower..<max(lower, min(count, Int(last) + 1))
    }
}
