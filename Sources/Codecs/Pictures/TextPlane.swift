/// The luma of a picture, as letters are drawn into it.
struct TextPlane {
    var pixels: UnsafeMutablePointer<UInt8>
    var stride: Int
    var width: Int
    var height: Int
    /// Of a pixel that a letter covers whole.
    var ink: UInt8

    /// Mixes the ink in, as much as `coverage` says (0 … 255).
    func blend(
        _ coverage: UnsafePointer<UInt8>, stride coverageStride: Int, width coverageWidth: Int,
        height coverageHeight: Int, x: Int, y: Int
    ) {
        for row in max(0, -y)..<max(max(0, -y), min(coverageHeight, height - y)) {
            let source = coverage + row * coverageStride
            let target = pixels + (y + row) * stride
            for column in max(0, -x)..<max(max(0, -x), min(coverageWidth, width - x)) {
                let amount = Int(source[column])
                let old = Int(target[x + column])
                target[x + column] = UInt8(clamping: old + (Int(ink) - old) * amount / 255)
            }
        }
    }
}
