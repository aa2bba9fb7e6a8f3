import Glibc

/// The examples of CALLS.md, read where they stand, so that page and code cannot part.
struct CallsPage {
    struct Example: CustomStringConvertible, Sendable {
        /// "call" or "request".
        var group: String
        /// `call_event` or `room_request_type`.
        var name: String
        var json: String
        var description: String { "\(group): \(name)" }
    }

    var text: String
    var examples: [Example] = []

    init(testFile: String = #filePath) {
        let root = testFile.split(separator: "/").dropLast(3).joined(separator: "/")
        text = CallsPage.read("/\(root)/Sources/Calls/CALLS.md")
        var heading: (group: String, name: String)?
        var json: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("### call: ") || line.hasPrefix("### request: ") {
                let words = line.dropFirst(4).split(separator: " ")
                heading = (String(words[0].dropLast()), String(words[1]))
            } else if line == "```json" {
                json = ""
            } else if line == "```", let finished = json, let heading {
                examples.append(Example(group: heading.group, name: heading.name, json: finished))
                json = nil
            } else if json != nil {
                json?.append(line + "\n")
            }
        }
    }

    private static func read(_ path: String) -> String {
        let file = open(path, O_RDONLY)
        precondition(file >= 0, "cannot open \(path)")
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = Glibc.read(file, &bytes, bytes.count)
        precondition(count > 0 && count < bytes.count, "cannot read \(path)")
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
