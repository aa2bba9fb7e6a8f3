import Glibc
import MediaTypes

@testable import Codecs

/// Peak signal to noise of the luma, in decibels, from every third row.
func lumaPSNR(_ a: Picture, _ b: Picture) -> Double {
    guard a.size == b.size else { return 0 }
    var sum = 0
    let rows = stride(from: 0, to: a.size.height, by: 3)
    for row in rows {
        for column in 0..<a.size.width {
            let difference = Int(a.luma[row * a.lumaStride + column]) - Int(b.luma[row * b.lumaStride + column])
            sum += difference * difference
        }
    }
    let mean = Double(sum) / Double(a.size.width * Array(rows).count)
    return mean == 0 ? 99 : 10 * log10(255 * 255 / mean)
}

/// Largest difference of any sample in any plane.
func largestDifference(_ a: Picture, _ b: Picture) -> Int {
    guard a.size == b.size else { return 255 }
    var largest = 0
    for row in 0..<a.size.height {
        for column in 0..<a.size.width {
            largest = max(
                largest, abs(Int(a.luma[row * a.lumaStride + column]) - Int(b.luma[row * b.lumaStride + column])))
        }
    }
    for row in 0..<a.chromaHeight {
        for column in 0..<a.chromaWidth {
            let offset = row * a.chromaStride + column
            largest = max(largest, abs(Int(a.blueChroma[offset]) - Int(b.blueChroma[offset])))
            largest = max(largest, abs(Int(a.redChroma[offset]) - Int(b.redChroma[offset])))
        }
    }
    return largest
}

/// Lines of a texture on a wave, 16 kinds, long enough to slide along.
private let sceneLines: [[UInt8]] = makeSceneLines()
private let sceneColors: [UInt8] = makeSceneColors()

private func makeSceneLines() -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for kind in 0..<16 {
        var line = [UInt8](repeating: 0, count: 4_096)
        for column in 0..<4_096 {
            let wave = 40 * sin(Double(column) * 0.045)
            let texture = ((column * 7) ^ (kind * 13)) & 15
            line[column] = UInt8(110 + Int(wave) + texture)
        }
        lines.append(line)
    }
    return lines
}

private func makeSceneColors() -> [UInt8] {
    var colors = [UInt8](repeating: 0, count: 4_096)
    for column in 0..<4_096 { colors[column] = UInt8(96 + (column % 256) / 4) }
    return colors
}

/// Draws a scene that moves from number to number: a sliding textured ground and two boxes that move otherwise.
func drawScene(_ number: Int, in picture: Picture) {
    let (width, height) = (picture.size.width, picture.size.height)
    let slide = number * 2 % 1_024
    for row in 0..<height {
        sceneLines[row & 15].withUnsafeBufferPointer { line in
            // The lines are longer than the sum of a picture's sides and the slide.
            let start = line.baseAddress! + row + slide
            (picture.luma + row * picture.lumaStride).update(from: start, count: width)
        }
    }
    for row in 0..<picture.chromaHeight {
        let offset = row * picture.chromaStride
        sceneColors.withUnsafeBufferPointer { line in
            // As above.
            (picture.blueChroma + offset).update(from: line.baseAddress! + slide, count: picture.chromaWidth)
            (picture.redChroma + offset).update(from: line.baseAddress! + row + slide, count: picture.chromaWidth)
        }
    }
    let left = number * 6 % max(1, width - width / 5) & ~1
    let top = number * 3 % max(1, height - height / 5) & ~1
    picture.fill(
        PictureRectangle(x: left, y: height / 4 & ~1, width: width / 6, height: height / 6),
        with: PictureColor(luma: 220, blueChroma: 60, redChroma: 170))
    picture.fill(
        PictureRectangle(x: width / 2 & ~1, y: top, width: width / 8, height: height / 8),
        with: PictureColor(luma: 30, blueChroma: 180, redChroma: 90))
    picture.number = Int64(number)
}
