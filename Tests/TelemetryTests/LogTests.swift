import Glibc
import Testing

@testable import Telemetry

/// The log is one per process: these tests take turns and put it back.
@Suite(.serialized) struct LogTests {
    private func linesWritten(asJournal: Bool = false, level: LogLevel = .notice, by body: () -> Void) -> [String] {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return [] }
        let before = Log.level
        Log.redirect(to: ends[1], asJournal: asJournal)
        Log.level = level
        body()
        Log.level = before
        Log.redirect(to: STDERR_FILENO)
        close(ends[1])
        defer { close(ends[0]) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(ends[0], &bytes, bytes.count)
        return String(decoding: bytes[0..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func aLineHasTimeLevelComponentAndText() throws {
        let lines = linesWritten { Log.notice("room", "joined reception") }
        let line = try #require(lines.first)
        #expect(line.hasSuffix(" notice room: joined reception"))
        let time = line.prefix(12)
        #expect(time.count == 12 && time.split(separator: ":").count == 3 && time.contains("."))
    }

    @Test func theJournalGetsAPriorityInsteadOfATime() {
        #expect(linesWritten(asJournal: true) { Log.error("room", "gone") } == ["<3>room: gone"])
    }

    @Test func lesserLevelsAreNotEvenMade() {
        var made = 0
        func text() -> String {
            made += 1
            return "text"
        }
        let lines = linesWritten(asJournal: true, level: .warning) {
            Log.error("a", text())
            Log.warning("a", text())
            Log.notice("a", text())
            Log.info("a", text())
            Log.debug("a", text())
        }
        #expect(lines == ["<3>a: text", "<4>a: text"])
        #expect(made == 2)
    }

    @Test func textFromOutsideCannotForgeALineOrDriveATerminal() {
        let lines = linesWritten(asJournal: true) { Log.notice("room", "name\n<3>forged\u{1B}[2J\u{9B}é\t🙂") }
        #expect(lines == ["<5>room: name\\n<3>forged?[2J?é 🙂"])
    }

    @Test func levelsHaveNames() {
        #expect(LogLevel(name: "debug") == .debug)
        #expect(LogLevel(name: "loud") == nil)
        #expect(LogLevel.error < LogLevel.debug)
    }
}
