import CLineShims

/// What the kernel tells of a GPIO line.
struct GPIOLineInfo: Hashable, Sendable {
    let offset: Int
    /// Nil for a line that the board's description does not name.
    let name: String?
    /// Who has it, in the holder's words; nil while nobody has.
    let consumer: String?
    let isOutput: Bool

    init(offset: Int, _ info: ccb_gpio_line_info) {
        self.offset = offset
        let name = GPIOLineInfo.text(info.name)
        self.name = name.isEmpty ? nil : name
        let consumer = GPIOLineInfo.text(info.consumer)
        self.consumer = info.is_used == 0 ? nil : consumer.isEmpty ? "the kernel" : consumer
        isOutput = info.is_output != 0
    }

    private static func text<Characters>(_ characters: Characters) -> String {
        withUnsafeBytes(of: characters) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
