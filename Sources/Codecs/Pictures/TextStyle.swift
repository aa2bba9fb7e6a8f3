import MediaTypes

/// How words look as a small picture.
package struct TextStyle: Hashable, Sendable {
    /// A mark in front of the words.
    package struct Mark: Hashable, Sendable {
        package var kind: PictureMark
        package var color: PictureColor

        package init(_ kind: PictureMark, _ color: PictureColor) {
            self.kind = kind
            self.color = color
        }
    }

    /// Of the letters' body, in pixels.
    package var letterHeight: Int
    /// The whole picture is no wider, in pixels.
    package var maximumWidth: Int
    package var maximumLines = 1
    package var ink = PictureColor.white
    package var ground = PictureColor.black
    package var marks: [Mark] = []
    /// Around the words, in pixels.
    package var margin = 0
    /// Lines in the middle of the picture instead of at its left.
    package var isCentred = false

    package init(letterHeight: Int, maximumWidth: Int) {
        self.letterHeight = letterHeight
        self.maximumWidth = maximumWidth
    }
}
