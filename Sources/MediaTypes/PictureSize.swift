/// Width and height of a picture in pixels.
package struct PictureSize: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }
}
