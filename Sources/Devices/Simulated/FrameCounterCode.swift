import MediaTypes

/// A number drawn into a picture as large black and white cells, which survives VP8 at low rates, scaling down to
/// 160x120 and the compositor; by it a test tells which picture of the source it sees.
///
/// The cells fill a strip over the full width at the top of the picture, in 2 rows of 12 columns. Everything is
/// relative to the picture, so that a program reads it after any scaling (`Tests/Support/frame_counter.py` and
/// `frame_counter.js` do):
///
///     cell i (0 … 23): column i mod 12, row i div 12
///     left = column · width / 12, right = (column + 1) · width / 12        (rounded down)
///     top  = row · height / 16,   bottom = (row + 1) · height / 16         (rounded down)
///     value = mean luma of the cell's middle half in both directions
///
///     cell 0        white      calibration
///     cell 1        black      calibration
///     cells 2 … 17  number     16 bits, most significant first; white = 1
///     cells 18 … 23 check      6 bits, most significant first; white = 1
///
/// The check is the CRC-6 of the 16 bits, most significant first: register 0x3F at the start; per bit, the bit is
/// XORed with the register's top bit, the register shifted left by one, and 0x03 (x⁶ + x + 1) XORed in when the
/// result was 1. It finds every one- and two-cell error. A cell whose value lies within an eighth of the contrast of
/// the threshold, or a contrast under 60, makes the code unreadable: better no number than a wrong one.
package enum FrameCounterCode {
    package static let columnCount = 12
    package static let rowCount = 2
    /// The strip's rows are this part of the picture's height.
    package static let rowsPerHeight = 16
    /// Numbers are 0 …< this.
    package static let modulus = 65_536

    private static let bitCount = 16
    private static let checkBitCount = 6
    private static let minimumContrast = 60

    /// Draws the low 16 bits of `number` into the top eighth of the picture.
    package static func draw(_ number: Int64, in picture: Picture) {
        let value = UInt32(UInt16(truncatingIfNeeded: number))
        // White and black in front, then the number and its check, as 24 bits.
        let cells = 0b10 << 22 | value << 6 | check(value)
        let size = picture.size
        for row in 0..<rowCount {
            let top = row * size.height / rowsPerHeight
            let bottom = (row + 1) * size.height / rowsPerHeight
            guard top < bottom else { continue }
            let first = picture.luma.advanced(by: top * picture.lumaStride)
            for column in 0..<columnCount {
                let left = column * size.width / columnCount
                let right = (column + 1) * size.width / columnCount
                let isWhite = cells >> UInt32(23 - row * columnCount - column) & 1 == 1
                first.advanced(by: left).update(repeating: isWhite ? 235 : 16, count: right - left)
            }
            for line in top + 1..<max(bottom, top + 1) {
                picture.luma.advanced(by: line * picture.lumaStride).update(from: first, count: size.width)
            }
        }
        let chromaRows = (rowCount * size.height / rowsPerHeight + 1) / 2
        picture.blueChroma.update(repeating: 128, count: chromaRows * picture.chromaStride)
        picture.redChroma.update(repeating: 128, count: chromaRows * picture.chromaStride)
    }

    /// Reads the number of a whole picture.
    package static func read(from picture: Picture) -> Int? {
        read(from: picture, x: 0, y: 0, size: picture.size)
    }

    /// Reads the number of a picture that was drawn into a part of another one, as the compositor does.
    ///
    /// - Returns: nil when no code is there, or it is not certain.
    package static func read(from picture: Picture, x: Int, y: Int, size: PictureSize) -> Int? {
        guard x >= 0, y >= 0, x + size.width <= picture.size.width, y + size.height <= picture.size.height,
            size.width >= 4 * columnCount, size.height >= 4 * rowsPerHeight
        else { return nil }
        let white = cell(0, of: picture, x: x, y: y, size: size)
        let black = cell(1, of: picture, x: x, y: y, size: size)
        let contrast = white - black
        guard contrast >= minimumContrast else { return nil }
        let threshold = (white + black) / 2
        var bits: UInt32 = 0
        for index in 2..<rowCount * columnCount {
            let value = cell(index, of: picture, x: x, y: y, size: size)
            guard abs(value - threshold) >= contrast / 8 else { return nil }
            bits = bits << 1 | (value > threshold ? 1 : 0)
        }
        let number = bits >> UInt32(checkBitCount)
        guard check(number) == bits & 0x3F else { return nil }
        return Int(number)
    }

    /// The CRC-6 of the 16 bits of `number`.
    private static func check(_ number: UInt32) -> UInt32 {
        var register: UInt32 = 0x3F
        var shift = UInt32(bitCount)
        while shift > 0 {
            shift -= 1
            let isOne = (register >> 5 ^ number >> shift) & 1 == 1
            register = register << 1 & 0x3F
            if isOne { register ^= 0x03 }
        }
        return register
    }

    /// Mean luma of the middle half of one cell.
    private static func cell(_ index: Int, of picture: Picture, x: Int, y: Int, size: PictureSize) -> Int {
        let (row, column) = index.quotientAndRemainder(dividingBy: columnCount)
        let horizontal = middleHalf(column * size.width / columnCount, (column + 1) * size.width / columnCount)
        let vertical = middleHalf(row * size.height / rowsPerHeight, (row + 1) * size.height / rowsPerHeight)
        var sum = 0
        for line in vertical {
            let pixels = picture.luma.advanced(by: (y + line) * picture.lumaStride + x)
            for position in horizontal { sum += Int(pixels[position]) }
        }
        return sum / (horizontal.count * vertical.count)
    }

    private static func middleHalf(_ start: Int, _ end: Int) -> Range<Int> {
        let margin = (end - start) / 4
        return start + margin..<end - margin
    }
}
