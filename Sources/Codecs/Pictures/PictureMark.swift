import MediaTypes

/// A small sign that stands beside a name.
package enum PictureMark: Hashable, Sendable {
    /// A crossed-out microphone.
    case microphoneMuted
    /// A crossed-out camera.
    case cameraOff
    /// A full circle, whose colour says how things are.
    case dot

    /// Draws the sign into a square of a picture, over what is there.
    ///
    /// - Parameter rectangle: even numbers, inside the picture.
    package func draw(in picture: Picture, _ rectangle: PictureRectangle, with color: PictureColor) {
        for y in stride(from: 0, to: rectangle.height, by: 2) {
            for x in stride(from: 0, to: rectangle.width, by: 2) {
                var sum = 0
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let amount = coverage(x + dx, y + dy, side: min(rectangle.width, rectangle.height))
                    sum += amount
                    let pixel = picture.luma + (rectangle.y + y + dy) * picture.lumaStride + rectangle.x + x + dx
                    pixel.pointee = PictureMark.mix(pixel.pointee, color.luma, amount)
                }
                let offset = (rectangle.y + y) / 2 * picture.chromaStride + (rectangle.x + x) / 2
                let blue = picture.blueChroma + offset
                let red = picture.redChroma + offset
                blue.pointee = PictureMark.mix(blue.pointee, color.blueChroma, sum / 4)
                red.pointee = PictureMark.mix(red.pointee, color.redChroma, sum / 4)
            }
        }
    }

    /// How much of a pixel the sign covers, 0 … 16.
    private func coverage(_ x: Int, _ y: Int, side: Int) -> Int {
        var count = 0
        for row in 0..<4 {
            for column in 0..<4 {
                // From the middle of the square; its half side is 1.
                let px = (Double(4 * x + column) + 0.5) / Double(2 * side) - 1
                let py = (Double(4 * y + row) + 0.5) / Double(2 * side) - 1
                if covers(px, py) { count += 1 }
            }
        }
        return count
    }

    private func covers(_ x: Double, _ y: Double) -> Bool {
        if self == .dot { return x * x + y * y < 0.36 }
        // A bar from corner to corner, with a gap on both sides that lets it stand out.
        let along = (x + y) / 2
        let across = abs(x - y)
        if abs(along) < 0.85 && across < 0.34 { return across < 0.15 }
        return self == .cameraOff ? PictureMark.coversCamera(x, y) : PictureMark.coversMicrophone(x, y)
    }

    private static func coversCamera(_ x: Double, _ y: Double) -> Bool {
        let isBody = (-0.85...0.3).contains(x) && abs(y) < 0.5
        let isFront = (0.4...0.88).contains(x) && abs(y) < 0.12 + (x - 0.4) * 0.7
        return isBody || isFront
    }

    private static func coversMicrophone(_ x: Double, _ y: Double) -> Bool {
        let capsuleY = min(max(y, -0.55), 0)
        let isCapsule = x * x + (y - capsuleY) * (y - capsuleY) < 0.3 * 0.3
        let distance = x * x + y * y
        let isCradle = y > 0 && distance > 0.46 * 0.46 && distance < 0.6 * 0.6
        let isStem = abs(x) < 0.07 && (0.5...0.85).contains(y)
        let isFoot = abs(x) < 0.32 && (0.78...0.92).contains(y)
        return isCapsule || isCradle || isStem || isFoot
    }

    private static func mix(_ old: UInt8, _ new: UInt8, _ amount: Int) -> UInt8 {
        UInt8(clamping: Int(old) + (Int(new) - Int(old)) * amount / 16)
    }
}
