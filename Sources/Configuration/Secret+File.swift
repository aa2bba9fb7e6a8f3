extension Secret {
    /// Reads a token, password or key from its own file: its text without the white space around it.
    /// - Errors: the file cannot be read, is empty, has more than one line, or is not text; never quotes it.
    /// - Thread: any that may block.
    package static func load(file path: String) throws(FileReadError) -> Secret {
        let bytes = try BoundedFile.read(path, maximumBytes: 16 * 1_024)
        let text = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard !text.isEmpty else { throw .empty }
        let isUTF8 = bytes.withUnsafeBytes { UTF8Validation.firstInvalidOffset($0) == nil }
        guard isUTF8, text.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .malformed("the file is not one line of text")
        }
        return Secret(String(decoding: text, as: UTF8.self))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
