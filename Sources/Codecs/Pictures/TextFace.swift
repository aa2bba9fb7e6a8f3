import CFreeType

/// A font at one size, open while words are drawn.
///
/// A class: the optimiser of Swift 6.0.3 fails on it as a noncopyable structure.
///
/// - Thread: confined to one. - Units: pixels.
final class TextFace {
    private let library: FT_Library
    private let face: FT_Face

    /// From one baseline to the next.
    let lineHeight: Int
    /// From the top of a line to its baseline.
    let ascent: Int

    /// - Parameter pixelHeight: of the letters' body.
    init(path: String, pixelHeight: Int) throws(CodecError) {
        var library: FT_Library?
        var face: FT_Face?
        var result = FT_Init_FreeType(&library)
        guard result == 0, let library else { throw .library(.freeType, code: result) }
        result = FT_New_Face(library, path, 0, &face)
        if result == 0, let face { result = FT_Set_Pixel_Sizes(face, 0, FT_UInt(pixelHeight)) }
        guard result == 0, let face, let size = face.pointee.size?.pointee.metrics else {
            FT_Done_FreeType(library)
            throw .library(.freeType, code: result)
        }
        self.library = library
        self.face = face
        lineHeight = max(pixelHeight, TextFace.pixels(size.height))
        ascent = TextFace.pixels(size.ascender)
    }

    deinit {
        FT_Done_Face(face)
        FT_Done_FreeType(library)
    }

    /// How far the pen moves for this text.
    func width(of text: Substring) -> Int {
        var pen = 0
        var last: FT_UInt = 0
        for scalar in text.unicodeScalars {
            let glyph = FT_Get_Char_Index(face, FT_ULong(scalar.value))
            pen += kerning(last, glyph)
            if FT_Load_Glyph(face, glyph, FT_Int32(FT_LOAD_DEFAULT)) == 0, let slot = face.pointee.glyph {
                pen += Int(slot.pointee.advance.x)
            }
            last = glyph
        }
        return TextFace.pixels(pen)
    }

    /// Draws a line into a plane of 8 bits, lighter where there is a letter; what lies outside is left out.
    func draw(_ text: Substring, x: Int, baseline: Int, in plane: TextPlane) {
        var pen = 0
        var last: FT_UInt = 0
        for scalar in text.unicodeScalars {
            let glyph = FT_Get_Char_Index(face, FT_ULong(scalar.value))
            pen += kerning(last, glyph)
            last = glyph
            guard FT_Load_Glyph(face, glyph, FT_Int32(FT_LOAD_RENDER)) == 0, let slot = face.pointee.glyph else {
                continue
            }
            let bitmap = slot.pointee.bitmap
            // Other kinds of bitmaps, coloured ones above all, come only from fonts of that kind.
            if bitmap.pixel_mode == FT_PIXEL_MODE_GRAY.rawValue, let buffer = bitmap.buffer {
                plane.blend(
                    buffer, stride: Int(bitmap.pitch), width: Int(bitmap.width), height: Int(bitmap.rows),
                    x: x + TextFace.pixels(pen) + Int(slot.pointee.bitmap_left),
                    y: baseline - Int(slot.pointee.bitmap_top))
            }
            pen += Int(slot.pointee.advance.x)
        }
    }

    /// 26.6 fixed point, as all of FreeType's distances.
    private func kerning(_ left: FT_UInt, _ right: FT_UInt) -> Int {
        guard left != 0, right != 0 else { return 0 }
        var delta = FT_Vector()
        guard FT_Get_Kerning(face, left, right, FT_KERNING_DEFAULT.rawValue, &delta) == 0 else { return 0 }
        return Int(delta.x)
    }

    private static func pixels(_ distance: Int) -> Int { (distance + 32) >> 6 }
}
