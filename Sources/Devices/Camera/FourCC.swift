/// The four characters by which V4L2 names a pixel format: `YUYV`.
struct FourCC: Hashable, Sendable, BitwiseCopyable, CustomStringConvertible {
    var rawValue: UInt32

    init(_ rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// For literals of four ASCII characters.
    init(_ text: StaticString) {
        precondition(text.utf8CodeUnitCount == 4, "a pixel format has four characters")
        rawValue = text.withUTF8Buffer { bytes in
            bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The characters; those that cannot be printed as question marks.
    var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> ($0 * 8)) & 0x7F }
        let text = bytes.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        let end = text.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? 0
        return String(decoding: text[..<end], as: UTF8.self)
    }
}
