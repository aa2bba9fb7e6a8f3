/// A place in the configuration file; both numbers count from 1.
package struct TextPosition: Hashable, Comparable, Sendable, BitwiseCopyable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    static let start = TextPosition(line: 1, column: 1)

    package static func < (a: TextPosition, b: TextPosition) -> Bool { (a.line, a.column) < (b.line, b.column) }

    /// The place of a byte in UTF-8 text; columns count characters, as libyaml does.
    static func of(offset: Int, in bytes: UnsafeRawBufferPointer) -> TextPosition {
        var position = TextPosition.start
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                position = TextPosition(line: position.line + 1, column: 1)
            } else if byte & 0xC0 != 0x80 {
                position.column += 1
            }
        }
        return position
    }
}
