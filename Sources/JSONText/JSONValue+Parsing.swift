import CJansson

extension JSONValue {
    /// Reads one JSON value that fills the whole text.
    ///
    /// - Errors: anything but strict JSON (RFC 8259) without duplicate keys, at most `maximumDepth` deep.
    /// - Thread: any.
    package init(parsing bytes: UnsafeRawBufferPointer, maximumBytes: Int = 1 << 20) throws(JSONError) {
        guard bytes.count <= maximumBytes else { throw JSONError(line: 0, column: 0, reason: .tooBig) }
        try Self.checkDepth(bytes)
        var problem = json_error_t()
        let flags = Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY)
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard let start, let root = json_loadb(start, bytes.count, flags, &problem) else {
            throw JSONError(problem)
        }
        defer { json_decref(root) }
        self = Self.value(of: root)
    }

    package init(parsing text: String, maximumBytes: Int = 1 << 20) throws(JSONError) {
        var text = text
        let result: Result<JSONValue, JSONError> = text.withUTF8 { utf8 in
            Result { () throws(JSONError) in
                try JSONValue(parsing: UnsafeRawBufferPointer(utf8), maximumBytes: maximumBytes)
            }
        }
        self = try result.get()
    }

    /// jansson recurses 2,048 levels deep, more than a 256 KiB stack holds: refuse that before it starts.
    private static func checkDepth(_ bytes: UnsafeRawBufferPointer) throws(JSONError) {
        var depth = 0
        var line = 1
        var lineStart = 0
        var isInString = false
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") {
                line += 1
                lineStart = index + 1
            }
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                if depth > maximumDepth {
                    throw JSONError(line: line, column: index - lineStart + 1, reason: .tooDeep)
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
    }

    private static func value(of node: UnsafeMutablePointer<json_t>) -> JSONValue {
        switch node.pointee.type {
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        case JSON_INTEGER: return .integer(json_integer_value(node))
        case JSON_REAL: return .number(json_real_value(node))
        case JSON_STRING: return .string(text(json_string_value(node), json_string_length(node)))
        case JSON_ARRAY:
            let count = json_array_size(node)
            var elements: [JSONValue] = []
            elements.reserveCapacity(count)
            for index in 0..<count {
                if let element = json_array_get(node, index) { elements.append(value(of: element)) }
            }
            return .array(elements)
        case JSON_OBJECT:
            var members: [String: JSONValue] = [:]
            members.reserveCapacity(json_object_size(node))
            var position = json_object_iter(node)
            while let current = position {
                if let key = json_object_iter_key(current), let member = json_object_iter_value(current) {
                    members[String(cString: key)] = value(of: member)
                }
                position = json_object_iter_next(node, current)
            }
            return .object(members)
        default: return .null
        }
    }

    private static func text(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}

extension JSONError {
    fileprivate init(_ problem: json_error_t) {
        var problem = problem
        // jansson keeps its error code in the last byte of the text (jansson.h, json_error_code).
        let code = withUnsafeBytes(of: &problem.text) { $0[$0.count - 1] }
        let reason: Reason =
            switch json_error_code(UInt32(code)) {
            case json_error_premature_end_of_input: .endsEarly
            case json_error_end_of_input_expected: .trailingText
            case json_error_duplicate_key: .duplicateKey
            case json_error_invalid_utf8: .notUTF8
            case json_error_numeric_overflow: .numberOutOfRange
            case json_error_null_character, json_error_null_byte_in_key: .nullCharacter
            case json_error_stack_overflow: .tooDeep
            default: .syntax
            }
        self.init(line: max(0, Int(problem.line)), column: max(0, Int(problem.column)), reason: reason)
    }
}
