import MediaTypes

extension TextPicture {
    /// Words as a small picture, as large as they need.
    ///
    /// - Returns: nil when there is neither a word nor a mark, or no room for any.
    /// - Errors: `file` when no font is installed, else the library's.
    package static func label(_ text: String, _ style: TextStyle, fontPath: String? = nil) throws(CodecError)
        -> Picture?
    {
        guard let path = fontPath ?? TextFont.find() else { throw .file(code: 0) }
        let face = try TextFace(path: path, pixelHeight: style.letterHeight)
        let side = face.lineHeight * 7 / 8 & ~1
        let gap = side / 4 & ~1
        let marksWidth = style.marks.count * (side + gap)
        let room = style.maximumWidth - 2 * style.margin - marksWidth
        guard room >= style.letterHeight else { return nil }
        let lines = TextLines.lines(of: String(text.prefix(maximumCharacters)), longest: style.maximumLines) {
            face.width(of: $0) <= room
        }
        guard !lines.isEmpty || !style.marks.isEmpty else { return nil }
        var widths: [Int] = []
        for line in lines { widths.append(face.width(of: line)) }
        let width = (widths.max() ?? -gap) + marksWidth + 2 * style.margin
        let size = PictureSize(
            width: max(2, min(style.maximumWidth, width + 1) & ~1),
            height: (max(1, lines.count) * face.lineHeight + 2 * style.margin + 1) & ~1)
        let picture = Picture(size: size)
        picture.fill(PictureRectangle(size), with: style.ground)
        let plane = TextPlane(
            pixels: picture.luma, stride: picture.lumaStride, width: size.width, height: size.height,
            ink: style.ink.luma)
        for (index, line) in lines.enumerated() {
            let free = (widths.max() ?? 0) - widths[index]
            face.draw(
                line, x: style.margin + marksWidth + (style.isCentred ? free / 2 : 0),
                baseline: style.margin + index * face.lineHeight + face.ascent, in: plane)
        }
        picture.tint(from: style.ground, to: style.ink)
        for (index, mark) in style.marks.enumerated() {
            let square = PictureRectangle(
                x: (style.margin + index * (side + gap)) & ~1, y: (style.margin + (face.lineHeight - side) / 2) & ~1,
                width: side, height: side)
            if square.isInside(size) { mark.kind.draw(in: picture, square, with: mark.color) }
        }
        return picture
    }
}

extension Picture {
    /// Gives letters their colour: chroma follows luma on its way from the ground to the ink.
    fileprivate func tint(from ground: PictureColor, to ink: PictureColor) {
        let range = Int(ink.luma) - Int(ground.luma)
        guard range != 0, ground.blueChroma != ink.blueChroma || ground.redChroma != ink.redChroma else { return }
        for row in 0..<size.height / 2 {
            for column in 0..<size.width / 2 {
                let upper = luma + 2 * row * lumaStride + 2 * column
                let lower = upper + lumaStride
                let sum = Int(upper[0]) + Int(upper[1]) + Int(lower[0]) + Int(lower[1]) - 4 * Int(ground.luma)
                let offset = row * chromaStride + column
                func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
                    UInt8(clamping: Int(from) + (Int(to) - Int(from)) * sum / (4 * range))
                }
                blueChroma[offset] = mixed(ground.blueChroma, ink.blueChroma)
                redChroma[offset] = mixed(ground.redChroma, ink.redChroma)
            }
        }
    }
}
