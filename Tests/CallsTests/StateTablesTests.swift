import Glibc
import Testing

@testable import Calls

/// A page between its markers of the state tables.
private struct Page {
    static let first = "<!-- state tables: written by Tools/state-tables -->\n"
    static let last = "<!-- end of the state tables -->\n"

    let path: String
    let before: String
    let between: String
    let after: String

    /// - Parameter name: from the top of the source tree.
    init(_ name: String, testFile: String = #filePath) throws {
        path = "/" + testFile.split(separator: "/").dropLast(3).joined(separator: "/") + "/\(name)"
        let text = try Page.read(path)
        let start = try #require(text.firstRange(of: Page.first), "no marker of the state tables in \(name)")
        let end = try #require(text.firstRange(of: Page.last), "no end of the state tables in \(name)")
        before = String(text[..<start.upperBound])
        between = String(text[start.upperBound..<end.lowerBound])
        after = String(text[end.lowerBound...])
    }

    private static func read(_ path: String) throws -> String {
        let file = open(path, O_RDONLY)
        try #require(file >= 0, "cannot open \(path)")
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(file, &bytes, bytes.count)
        try #require(count > 0 && count < bytes.count, "cannot read \(path)")
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    func write(_ tables: String) throws {
        let file = open(path, O_WRONLY | O_TRUNC)
        try #require(file >= 0, "cannot write \(path)")
        defer { close(file) }
        let bytes = Array((before + tables + after).utf8)
        try #require(Glibc.write(file, bytes, bytes.count) == bytes.count, "cannot write \(path)")
    }
}

@Suite(.serialized) struct StateTablesTests {
    @Test(arguments: ["ARCHITECTURE.md", "Sources/Calls/CALLS.md"])
    func thePageShowsTheTablesOfTheCode(name: String) throws {
        let page = try Page(name)
        let shown = name == "ARCHITECTURE.md" ? StateTables.all : StateTables.calls
        let tables = "\n" + shown.map(\.markdown).joined(separator: "\n") + "\n"
        if getenv("CALLBOX_WRITE_STATE_TABLES") != nil {
            try page.write(tables)
        } else {
            #expect(page.between == tables, "run Tools/state-tables")
        }
    }

    @Test func everyTableNamesEveryPhase() {
        for table in StateTables.all { #expect(table.size.phases > 1 && table.size.inputs > 1) }
        for phase in RoomPhase.allCases { #expect(StateTables.room.markdown.contains("**\(phase.text)**")) }
        for phase in PublisherPhase.allCases { #expect(StateTables.publisher.markdown.contains("**\(phase.text)**")) }
        for phase in CallPhase.allCases { #expect(StateTables.call.markdown.contains("**\(phase.text)**")) }
        for phase in PlayerPhase.allCases { #expect(StateTables.player.markdown.contains("**\(phase.text)**")) }
    }
}
