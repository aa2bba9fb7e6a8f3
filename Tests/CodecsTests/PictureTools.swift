import Glibc
import MediaTypes

@testable import Codecs

/// Peak signal to noise of the luma, in decibels.
func lumaPSNR(_ a: Picture, _ b: Picture) -> Double {
    guard a.size == b.size else { return 0 }
    var sum = 0
    for row in 0..<a.size.height {
        for column in 0..<a.size.width {
            let difference = Int(a.luma[row * a.lumaStride + column]) - Int(b.luma[row * b.lumaStride + column])
            sum += difference * difference
        }
    }
    let mean = Double(sum) / Double(a.size.width * a.size.height)
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

/// Draws a scene that moves from number to number: a sliding wave over a textured ground and two moving boxes.
func drawScene(_ number: Int, in picture: Picture) {
    let (width, height) = (picture.size.width, picture.size.height)
    let waves = (0..<(width + height + 1)).map { 40 * sin(Double($0 + number * 2) * 0.045) }
    for row in 0..<height {
        let line = picture.luma + row * picture.lumaStride
        for column in 0..<width {
            let texture = (column * 7 ^ row * 13) & 15
            line[column] = UInt8(110 + waves[column + row] + Double(texture))
        }
    }
    for row in 0..<picture.chromaHeight {
        for column in 0..<picture.chromaWidth {
            let offset = row * picture.chromaStride + column
            picture.blueChroma[offset] = UInt8(96 + (column + number) % 256 / 4)
            picture.redChroma[offset] = UInt8(96 + (row + 2 * number) % 256 / 4)
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
