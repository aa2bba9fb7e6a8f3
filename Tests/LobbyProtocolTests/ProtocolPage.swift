import Glibc

/// The examples of PROTOCOL.md, read where they stand, so that page and code cannot part.
struct ProtocolPage {
    struct Example: CustomStringConvertible, Sendable {
        /// "client" or "lobby".
        var sender: String
        var type: String
        var json: String
        var description: String { "\(sender): \(type)" }
    }

    var text: String
    var examples: [Example]

    init(testFile: String = #filePath) {
        let root = testFile.split(separator: "/").dropLast(3).joined(separator: "/")
        text = Self.read("/\(root)/Sources/LobbyProtocol/PROTOCOL.md")
        examples = []
        var heading: (sender: String, type: String)?
        var json: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("### client: ") || line.hasPrefix("### lobby: ") {
                let words = line.dropFirst(4).split(separator: " ")
                heading = (String(words[0].dropLast()), String(words[1]))
            } else if line == "```json" {
                json = ""
            } else if line == "```", let finished = json, let heading {
                examples.append(Example(sender: heading.sender, type: heading.type, json: finished))
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
