/// A colour as I420 has it: BT.601, limited range (black 16, white 235).
package struct PictureColor: Hashable, Sendable, BitwiseCopyable {
    package var luma: UInt8
    package var blueChroma: UInt8
    package var redChroma: UInt8

    package init(luma: UInt8, blueChroma: UInt8 = 128, redChroma: UInt8 = 128) {
        self.luma = luma
        self.blueChroma = blueChroma
        self.redChroma = redChroma
    }

    package static let black = PictureColor(luma: 16)
    package static let white = PictureColor(luma: 235)
}
