import Glibc
import Synchronization

/// The log: one line per event on standard error, which is the journal when systemd started the process.
///
/// ```
/// terminal  14:03:22.120 notice room: joined reception
/// journald  <5>room: joined reception
/// ```
/// - Thread: any but the real-time ones (a line allocates and makes a system call).
/// - Secrets, addresses and SDP go through `Redacted`.
package enum Log {
    private static let threshold = Atomic<UInt8>(LogLevel.notice.rawValue)
    private static let descriptor = Atomic<Int32>(STDERR_FILENO)
    private static let goesToJournal = Atomic<Bool>(isJournal(STDERR_FILENO))

    /// Lines of a lower importance than this are not written, and their text is not made.
    package static var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .notice }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    package static func error(_ component: StaticString, _ text: @autoclosure () -> String) {
        write(.error, component, text)
    }

    package static func warning(_ component: StaticString, _ text: @autoclosure () -> String) {
        write(.warning, component, text)
    }

    package static func notice(_ component: StaticString, _ text: @autoclosure () -> String) {
        write(.notice, component, text)
    }

    package static func info(_ component: StaticString, _ text: @autoclosure () -> String) {
        write(.info, component, text)
    }

    package static func debug(_ component: StaticString, _ text: @autoclosure () -> String) {
        write(.debug, component, text)
    }

    /// Writes to another descriptor from now on, which the caller keeps open; for tests and tools.
    package static func redirect(to fileDescriptor: Int32, asJournal: Bool = false) {
        descriptor.store(fileDescriptor, ordering: .relaxed)
        goesToJournal.store(asJournal, ordering: .relaxed)
    }

    private static func write(_ level: LogLevel, _ component: StaticString, _ text: () -> String) {
        guard level.rawValue <= threshold.load(ordering: .relaxed) else { return }
        var line =
            goesToJournal.load(ordering: .relaxed)
            ? "<\(level.rawValue)>\(component): " : "\(timeOfDay()) \(level) \(component): "
        appendPrintable(text(), to: &line)
        line += "\n"
        line.withUTF8 { bytes in
            // One call per line: lines of several threads do not mix.
            _ = Glibc.write(descriptor.load(ordering: .relaxed), bytes.baseAddress, bytes.count)
        }
    }

    /// What comes from outside must not be able to forge a line or drive a terminal.
    private static func appendPrintable(_ text: String, to line: inout String) {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != 0xC2 }
        guard !isPlain else {
            line += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: line += "\\n"
            case 0x0D: line += "\\r"
            case 0x09: line += " "
            case 0..<0x20, 0x7F..<0xA0: line += "?"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }

    private static func timeOfDay() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        let milliseconds = now.tv_nsec / 1_000_000
        return digits(Int(parts.tm_hour), 2) + ":" + digits(Int(parts.tm_min), 2) + ":" + digits(Int(parts.tm_sec), 2)
            + "." + digits(milliseconds, 3)
    }

    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// systemd names the journal's socket as `device:inode` in `JOURNAL_STREAM`; a child may have been redirected.
    private static func isJournal(_ fileDescriptor: Int32) -> Bool {
        guard let variable = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard fstat(fileDescriptor, &status) == 0 else { return false }
        return String(cString: variable) == "\(status.st_dev):\(status.st_ino)"
    }
}
