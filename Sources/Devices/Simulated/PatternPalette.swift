/// The colours of a test pattern, by which a far side tells two simulated cameras apart.
struct PatternPalette: Sendable {
    var paper: PatternColor
    var ink: PatternColor
    var accent: PatternColor
    var bars: [PatternColor]
    /// Mean of the waves' chroma.
    var waveBlueChroma: Double
    var waveRedChroma: Double
    /// The frame counter's first number.
    var firstNumber: Int64

    /// Variants that exist; 1 is the usual one.
    static let variants = 1...2

    /// Variant 1 has all colours on average, and counts from 0; variant 2 is warm all over (the mean of the red chroma
    /// is above 150) and counts from 32768.
    static func variant(_ number: Int) -> PatternPalette {
        number == 2 ? warm : balanced
    }

    private static let balanced = PatternPalette(
        paper: PatternColor(244, 242, 236), ink: PatternColor(52, 58, 76), accent: PatternColor(224, 92, 72),
        bars: [
            PatternColor(232, 230, 224), PatternColor(238, 214, 142), PatternColor(150, 212, 216),
            PatternColor(156, 206, 158), PatternColor(210, 168, 208), PatternColor(226, 146, 132),
            PatternColor(136, 158, 212), PatternColor(96, 104, 126),
        ],
        waveBlueChroma: 144, waveRedChroma: 112, firstNumber: 0)

    private static let warm = PatternPalette(
        paper: PatternColor(168, 48, 44), ink: PatternColor(250, 226, 190), accent: PatternColor(255, 206, 84),
        bars: [
            PatternColor(246, 196, 150), PatternColor(240, 160, 84), PatternColor(226, 112, 72),
            PatternColor(206, 82, 78), PatternColor(184, 66, 96), PatternColor(150, 52, 78),
            PatternColor(122, 44, 52), PatternColor(94, 34, 34),
        ],
        waveBlueChroma: 108, waveRedChroma: 172, firstNumber: 32_768)
}
