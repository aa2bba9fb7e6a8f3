import MediaTypes

/// Words as a band for the screen: white on black, over the full width, as high as they need.
///
/// The font and its library's memory are held only while a band is made; letters are set one after the other with the
/// font's own kerning, which suits the alphabets that need no shaping.
/// - Thread: any. Takes some milliseconds and allocates.
package enum TextPicture {
    /// More is cut off: a screen is no page.
    package static let maximumCharacters = 300
    /// More lines are left out.
    package static let maximumLines = 4

    /// - Parameters:
    ///   - text: line feeds break lines; words that do not fit do, too.
    ///   - screen: the band gets its width, and letters a sixteenth of its height.
    ///   - fontPath: nil for the one that is found.
    /// - Returns: nil when there is nothing to read in the text.
    /// - Errors: `file` when no font is installed, else the library's.
    package static func band(
        of text: String, screen: PictureSize, fontPath: String? = nil
    ) throws(CodecError) -> Picture? {
        guard let path = fontPath ?? TextFont.find() else { throw .file(code: 0) }
        let letterHeight = max(12, screen.height / 16)
        let margin = letterHeight / 2 & ~1
        let face = try TextFace(path: path, pixelHeight: letterHeight)
        let room = max(letterHeight, screen.width - 2 * margin)
        let lines = TextLines.lines(of: String(text.prefix(maximumCharacters)), longest: maximumLines) {
            face.width(of: $0) <= room
        }
        guard !lines.isEmpty else { return nil }
        let height = min(screen.height, lines.count * face.lineHeight + margin) & ~1
        let picture = Picture(size: PictureSize(width: screen.width, height: max(2, height)))
        let plane = TextPlane(
            pixels: picture.luma, stride: picture.lumaStride, width: picture.size.width, height: picture.size.height,
            ink: PictureColor.white.luma)
        for (index, line) in lines.enumerated() {
            let left = max(margin, (screen.width - face.width(of: line)) / 2)
            face.draw(
                line, x: left, baseline: margin / 2 + index * face.lineHeight + face.ascent, in: plane)
        }
        return picture
    }
}
