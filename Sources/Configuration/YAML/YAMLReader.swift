import CYAML

/// Reads one YAML document into nodes by libyaml, and refuses what a configuration does not need: anchors and aliases
/// (with them "billion laughs"), tags, a second document, and anything beyond `YAMLLimits`.
struct YAMLReader {
    private let bytes: UnsafeRawBufferPointer
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private var nodeCount = 0
    private(set) var problems: ProblemList

    /// Reads the document.
    /// - Returns: nil where the text breaks YAML's rules or a limit; `problems` then says where.
    static func read(_ bytes: UnsafeRawBufferPointer, problems: inout ProblemList) -> YAMLNode? {
        guard bytes.count <= YAMLLimits.byteCount else {
            problems.report(.start, key: "YAML", "the file is too large", allowed: "at most 256 KiB")
            return nil
        }
        if let offset = UTF8Validation.firstInvalidOffset(bytes) {
            problems.report(
                .of(offset: offset, in: bytes), key: "YAML", "the text is not UTF-8", allowed: "UTF-8 without NUL")
            return nil
        }
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else {
            problems.report(.start, key: "YAML", "there is no memory to read the file", allowed: nil)
            return nil
        }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
        var reader = YAMLReader(bytes: bytes, parser: parser, problems: problems)
        defer { problems = reader.problems }
        do throws(Stop) {
            return try reader.readStream()
        } catch {
            return nil
        }
    }

    private init(bytes: UnsafeRawBufferPointer, parser: UnsafeMutablePointer<yaml_parser_t>, problems: ProblemList) {
        self.bytes = bytes
        self.parser = parser
        self.problems = problems
    }

    /// The rest of the text cannot be read; the reason is reported.
    private struct Stop: Error {}

    private mutating func readStream() throws(Stop) -> YAMLNode {
        var root = YAMLNode(position: .start, content: .scalar("", isPlain: true))
        var documentCount = 0
        while true {
            var event = try nextEvent()
            defer { yaml_event_delete(&event) }
            switch event.type {
            case YAML_DOCUMENT_START_EVENT:
                documentCount += 1
                guard documentCount == 1 else {
                    report(event, "a second document starts here", allowed: "one document in a file")
                    throw Stop()
                }
            case YAML_STREAM_END_EVENT: return root
            case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: break
            default: root = try readNode(event, depth: 1)
            }
        }
    }

    private mutating func readNode(_ event: yaml_event_t, depth: Int) throws(Stop) -> YAMLNode {
        nodeCount += 1
        guard nodeCount <= YAMLLimits.nodeCount else {
            report(event, "the file has too many values", allowed: "at most \(YAMLLimits.nodeCount)")
            throw Stop()
        }
        guard depth <= YAMLLimits.depth else {
            report(event, "the values are nested too deeply", allowed: "at most \(YAMLLimits.depth) levels")
            throw Stop()
        }
        let position = YAMLReader.position(event.start_mark)
        switch event.type {
        case YAML_ALIAS_EVENT:
            report(event, "aliases (*name) are refused", allowed: "the value written out")
            return YAMLNode(position: position, content: .refused)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let isAcceptable = refuseMarks(event, anchor: scalar.anchor, tag: scalar.tag)
            let text = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
            return YAMLNode(position: position, content: isAcceptable ? .scalar(text, isPlain: isPlain) : .refused)
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            let isAcceptable = refuseMarks(event, anchor: start.anchor, tag: start.tag)
            let items = try readSequence(depth: depth)
            return YAMLNode(position: position, content: isAcceptable ? .sequence(items) : .refused)
        default:
            let start = event.data.mapping_start
            let isAcceptable = refuseMarks(event, anchor: start.anchor, tag: start.tag)
            let entries = try readMapping(depth: depth)
            return YAMLNode(position: position, content: isAcceptable ? .mapping(entries) : .refused)
        }
    }

    private mutating func readSequence(depth: Int) throws(Stop) -> [YAMLNode] {
        var items: [YAMLNode] = []
        while true {
            var event = try nextEvent()
            defer { yaml_event_delete(&event) }
            if event.type == YAML_SEQUENCE_END_EVENT { return items }
            items.append(try readNode(event, depth: depth + 1))
        }
    }

    private mutating func readMapping(depth: Int) throws(Stop) -> [YAMLEntry] {
        var entries: [YAMLEntry] = []
        while true {
            var event = try nextEvent()
            defer { yaml_event_delete(&event) }
            if event.type == YAML_MAPPING_END_EVENT { return entries }
            let key = try readNode(event, depth: depth + 1)
            var valueEvent = try nextEvent()
            defer { yaml_event_delete(&valueEvent) }
            let value = try readNode(valueEvent, depth: depth + 1)
            switch key.content {
            case .scalar(let name, _): entries.append(YAMLEntry(name: name, position: key.position, value: value))
            case .refused: break
            case .sequence, .mapping: report(event, "\(key.kind) cannot be a key", allowed: "a word")
            }
        }
    }

    /// Reports an anchor or a tag; true where there is neither.
    private mutating func refuseMarks(
        _ event: yaml_event_t, anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?
    ) -> Bool {
        if anchor != nil { report(event, "anchors (&name) are refused", allowed: "the value written out") }
        if tag != nil { report(event, "tags (!name) are refused", allowed: "the value without a tag") }
        return anchor == nil && tag == nil
    }

    /// The next event, which the caller deletes.
    private mutating func nextEvent() throws(Stop) -> yaml_event_t {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else {
            reportSyntax()
            throw Stop()
        }
        return event
    }

    private mutating func reportSyntax() {
        let reason = parser.pointee.problem.map { String(cString: $0) } ?? "the text cannot be read"
        if parser.pointee.error == YAML_READER_ERROR {
            let position = TextPosition.of(offset: Int(parser.pointee.problem_offset), in: bytes)
            problems.report(position, key: "YAML", reason, allowed: nil)
            return
        }
        let mark = parser.pointee.problem_mark
        if Int(mark.index) < bytes.count, bytes[Int(mark.index)] == UInt8(ascii: "\t") {
            // Exact for text of ASCII up to here; the mark counts characters, not bytes.
            problems.report(
                YAMLReader.position(mark), key: "YAML", "a tab cannot indent", allowed: "spaces")
            return
        }
        let begin = YAMLReader.position(parser.pointee.context_mark)
        let context = parser.pointee.context.map {
            " (\(String(cString: $0)) that begins at \(begin.line):\(begin.column))"
        }
        problems.report(YAMLReader.position(mark), key: "YAML", reason + (context ?? ""), allowed: nil)
    }

    private mutating func report(_ event: yaml_event_t, _ reason: String, allowed: String?) {
        problems.report(YAMLReader.position(event.start_mark), key: "YAML", reason, allowed: allowed)
    }

    private static func position(_ mark: yaml_mark_t) -> TextPosition {
        TextPosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }
}
