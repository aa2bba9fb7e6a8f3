import Glibc
import MediaTypes

/// Paints the moving test pattern: the frame counter, soft colour bars, a clock with a sweep hand, waves below and a
/// ball on them. Smooth and always in motion, as a camera's picture is, and cheap: what rests is painted once and
/// copied, what moves is small or a row that is shifted.
final class TestPatternPainter {
    private let size: PictureSize
    /// Everything that does not move.
    private let background: Picture
    /// One period of the waves, twice in a row, so that any shift of it is one copy: luma, then both chromas.
    private let waves: Picture
    private let framesPerSecond: Double
    private let palette: PatternPalette

    private var barsTop: Int { size.height / 8 }
    private var wavesTop: Int { size.height * 3 / 4 & ~1 }
    private var clockCenterX: Double { Double(size.width) / 2 }
    private var clockCenterY: Double { Double(size.height) * 7 / 16 }
    private var clockRadius: Double { Double(min(size.width, size.height)) / 4 }

    init(size: PictureSize, framesPerSecond: Double, palette: PatternPalette = .variant(1)) {
        self.size = size
        self.palette = palette
        self.framesPerSecond = framesPerSecond
        background = Picture(size: size)
        waves = Picture(size: PictureSize(width: 2 * size.width, height: 2))
        paintBars()
        paintClockFace()
        paintWaves()
    }

    /// Paints picture `number` into all of `picture`, which must have the painter's size.
    func paint(_ number: Int64, into picture: Picture) {
        precondition(picture.size == size, "the picture has the size of the pattern")
        let time = Double(number) / framesPerSecond
        copyBackground(into: picture)
        shiftWaves(time: time, into: picture)
        // Once round in four seconds, clockwise from the top.
        let angle = (time / 4).truncatingRemainder(dividingBy: 1) * 2 * Double.pi
        PatternBrush(picture: picture).line(
            fromX: clockCenterX - 0.16 * clockRadius * sin(angle), y: clockCenterY + 0.16 * clockRadius * cos(angle),
            toX: clockCenterX + 0.8 * clockRadius * sin(angle), y: clockCenterY - 0.8 * clockRadius * cos(angle),
            radius: clockRadius / 22, color: palette.accent)
        let swing = sin(time * 2 * Double.pi / 5)
        let ballRadius = Double(size.height) / 18
        let ballX = Double(size.width) / 2 + swing * (Double(size.width) / 2 - 2 * ballRadius)
        let ballY = Double(wavesTop) + Double(size.height) / 8 + sin(time * 3) * Double(size.height) / 24
        PatternBrush(picture: picture).line(
            fromX: ballX, y: ballY, toX: ballX, y: ballY, radius: ballRadius, color: palette.paper)
        FrameCounterCode.draw(number, in: picture)
    }

    private func copyBackground(into picture: Picture) {
        // The strip above is drawn over, the waves below are shifted in.
        let rows = barsTop & ~1..<wavesTop
        let luma = rows.lowerBound * picture.lumaStride
        picture.luma.advanced(by: luma).update(
            from: background.luma.advanced(by: luma), count: rows.count * picture.lumaStride)
        let chroma = rows.lowerBound / 2 * picture.chromaStride
        let count = rows.count / 2 * picture.chromaStride
        picture.blueChroma.advanced(by: chroma).update(from: background.blueChroma.advanced(by: chroma), count: count)
        picture.redChroma.advanced(by: chroma).update(from: background.redChroma.advanced(by: chroma), count: count)
    }

    private func shiftWaves(time: Double, into picture: Picture) {
        let drift = Int(time * Double(size.width) / 8)
        for row in wavesTop..<size.height {
            let sway = sin(time * 1.3 + Double(row - wavesTop) * 6 / Double(size.height))
            let shift = wrapped(drift + (row - wavesTop) / 2 + Int(sway * Double(size.width) / 24)) & ~1
            picture.luma.advanced(by: row * picture.lumaStride)
                .update(from: waves.luma.advanced(by: shift), count: size.width)
            guard row & 1 == 0 else { continue }
            let chroma = row / 2 * picture.chromaStride
            picture.blueChroma.advanced(by: chroma)
                .update(from: waves.blueChroma.advanced(by: shift / 2), count: picture.chromaWidth)
            picture.redChroma.advanced(by: chroma)
                .update(from: waves.redChroma.advanced(by: shift / 2), count: picture.chromaWidth)
        }
    }

    private func wrapped(_ shift: Int) -> Int {
        let rest = shift % size.width
        return rest < 0 ? rest + size.width : rest
    }

    private func paintBars() {
        let bars = palette.bars
        for row in 0..<size.height {
            // A little darker towards the bottom: a gradient that a video encoder has to keep smooth.
            let shade = 26 * row / size.height
            for (index, bar) in bars.enumerated() {
                let left = index * size.width / bars.count
                let right = (index + 1) * size.width / bars.count
                let start = background.luma.advanced(by: row * background.lumaStride + left)
                start.update(repeating: UInt8(clamping: Int(bar.luma) - shade), count: right - left)
                guard row & 1 == 0 else { continue }
                let chroma = row / 2 * background.chromaStride + left / 2
                let count = (right + 1) / 2 - left / 2
                background.blueChroma.advanced(by: chroma).update(repeating: bar.blueChroma, count: count)
                background.redChroma.advanced(by: chroma).update(repeating: bar.redChroma, count: count)
            }
        }
    }

    private func paintClockFace() {
        let brush = PatternBrush(picture: background)
        let (x, y, radius) = (clockCenterX, clockCenterY, clockRadius)
        brush.line(fromX: x, y: y, toX: x, y: y, radius: radius, color: palette.ink)
        brush.line(fromX: x, y: y, toX: x, y: y, radius: radius * 0.93, color: palette.paper)
        for hour in 0..<12 {
            let angle = Double(hour) * Double.pi / 6
            let inner = hour % 3 == 0 ? 0.7 : 0.78
            brush.line(
                fromX: x + inner * radius * sin(angle), y: y - inner * radius * cos(angle),
                toX: x + 0.84 * radius * sin(angle), y: y - 0.84 * radius * cos(angle),
                radius: radius / (hour % 3 == 0 ? 28 : 45), color: palette.ink)
        }
        brush.line(fromX: x, y: y, toX: x, y: y, radius: radius / 11, color: palette.ink)
    }

    private func paintWaves() {
        for column in 0..<2 * size.width {
            let phase = Double(column % size.width) / Double(size.width) * 2 * Double.pi
            waves.luma[column] = UInt8(clamping: Int(124 + 34 * sin(3 * phase) + 14 * sin(7 * phase)))
        }
        for column in 0..<waves.chromaWidth {
            let phase = Double(2 * column % size.width) / Double(size.width) * 2 * Double.pi
            waves.blueChroma[column] = UInt8(clamping: Int(palette.waveBlueChroma + 20 * sin(phase)))
            waves.redChroma[column] = UInt8(clamping: Int(palette.waveRedChroma + 16 * cos(phase)))
        }
    }
}
