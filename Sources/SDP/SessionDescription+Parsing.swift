import MediaTypes

extension SessionDescription {
    /// Parses a description; nil for anything that is not one or that breaks a limit. Unknown lines and attributes are
    /// dropped, and so are known ones with a value that makes no sense, where a call can do without them.
    package init?(parsing text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        var reader = DescriptionReader()
        for rawLine in text.utf8.split(separator: UInt8(ascii: "\n")) {
            var line = rawLine[...]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            if line.isEmpty { continue }
            // A lone carriage return or a zero inside a line could be read as a line end by somebody else.
            guard !line.contains(where: { $0 == 13 || $0 == 0 }), line.count >= 2,
                line[line.index(after: line.startIndex)] == UInt8(ascii: "=")
            else { return nil }
            let value = String(decoding: line.dropFirst(2), as: UTF8.self)
            guard reader.read(type: line[line.startIndex], value: value) else { return nil }
        }
        guard let description = reader.finish() else { return nil }
        self = description
    }

    /// Parses the bytes of a description.
    package init?(parsing bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= Self.maximumByteCount else { return nil }
        self.init(parsing: String(decoding: bytes, as: UTF8.self))
    }
}
