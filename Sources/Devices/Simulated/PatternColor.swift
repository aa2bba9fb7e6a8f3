/// A colour as the pipeline carries it: BT.601, limited range.
struct PatternColor: Sendable, BitwiseCopyable {
    var luma: UInt8
    var blueChroma: UInt8
    var redChroma: UInt8

    /// - Parameters: red, green and blue, 0 … 255.
    init(_ red: Int, _ green: Int, _ blue: Int) {
        luma = UInt8(clamping: 16 + (66 * red + 129 * green + 25 * blue + 128) >> 8)
        blueChroma = UInt8(clamping: 128 + (-38 * red - 74 * green + 112 * blue + 128) >> 8)
        redChroma = UInt8(clamping: 128 + (112 * red - 94 * green - 18 * blue + 128) >> 8)
    }
}
