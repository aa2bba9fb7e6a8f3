import MediaTypes

/// What the others see while this endpoint has no camera picture: a crossed-out lens on grey.
enum PlaceholderPicture {
    private static let background: UInt8 = 52
    private static let foreground: UInt8 = 150

    static func draw(in picture: Picture) {
        let width = picture.size.width
        let height = picture.size.height
        picture.fillBlack()
        for y in 0..<height {
            (picture.luma + y * picture.lumaStride).update(repeating: background, count: width)
        }
        let radius = min(width, height) / 5
        let stroke = max(1, radius / 8)
        let centreX = width / 2
        let centreY = height / 2
        let inner = (radius - stroke) * (radius - stroke)
        for y in max(0, centreY - radius)..<min(height, centreY + radius) {
            for x in max(0, centreX - radius)..<min(width, centreX + radius) {
                let dx = x - centreX
                let dy = y - centreY
                let distance = dx * dx + dy * dy
                let isRing = distance <= radius * radius && distance >= inner
                let isBar = abs(dx - dy) <= stroke && distance <= radius * radius
                if isRing || isBar { picture.luma[y * picture.lumaStride + x] = foreground }
            }
        }
    }
}
