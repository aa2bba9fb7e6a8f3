import JSONText
import Panel

/// A button, LED or relay as `callbox ctl lines` and the status show it.
enum LineStatusText {
    @Sendable static func json(_ line: LineStatus) -> JSONValue {
        [
            "name": .string(line.name),
            "kind": .string(line.kind.rawValue),
            "active": .bool(line.isActive),
            "place": .string(line.place),
            "stuck": .bool(line.isStuck),
            "pattern": line.rule.map { .string($0.pattern.rawValue) } ?? .null,
            "indicator": line.rule.map { .string($0.indicator.rawValue) } ?? .null,
            "consumer": line.consumer.map { .string($0) } ?? .null,
            "fault": line.fault.map { .string($0) } ?? .null,
            "simulated": .bool(line.isSimulated),
        ]
    }
}
