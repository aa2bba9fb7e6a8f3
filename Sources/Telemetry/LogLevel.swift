/// How much a line of the log matters; raw values are those of syslog and journald.
package enum LogLevel: UInt8, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// The level's name as the configuration spells it; nil for any other word.
    package init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.description == name }) else { return nil }
        self = level
    }

    package var description: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// `a < b` when `a` matters more.
    package static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue < b.rawValue }
}
