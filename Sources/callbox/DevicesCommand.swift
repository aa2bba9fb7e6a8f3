import Devices
import JSONText

/// `callbox devices`
enum DevicesCommand {
    static func run(_ words: [String]) -> Int32 {
        do throws(Arguments.Problem) {
            let arguments = try Arguments(words, flags: ["json"])
            let devices = DeviceRegistry().list()
            Output.line(arguments.flags.contains("json") ? json(devices).text(pretty: true) : text(devices))
            return ExitCode.success
        } catch {
            Output.error("callbox devices: \(error.text)")
            return ExitCode.usage
        }
    }

    private static func text(_ devices: [DeviceListing]) -> String {
        var lines: [String] = []
        for kind in DeviceKind.allCases {
            lines.append("\(kind.rawValue):")
            let ofKind = devices.filter { $0.kind == kind }
            if !ofKind.contains(where: { !$0.isSimulated }) { lines.append("  (no hardware found)") }
            let width = ofKind.map(\.specifier.count).max() ?? 0
            for device in ofKind {
                let padding = String(repeating: " ", count: width - device.specifier.count)
                let mark = device.isSimulated ? " (simulated)" : ""
                lines.append("  \(device.specifier)\(padding)  \(device.summary)\(mark)")
                if let problem = device.problem { lines.append("      ! \(problem)") }
                lines += device.details.map { "      \($0)" }
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func json(_ devices: [DeviceListing]) -> JSONValue {
        .array(
            devices.map { device in
                [
                    "kind": .string(device.kind.rawValue), "specifier": .string(device.specifier),
                    "summary": .string(device.summary), "simulated": .bool(device.isSimulated),
                    "problem": device.problem.map { .string($0) } ?? .null,
                    "details": .array(device.details.map { .string($0) }),
                ]
            })
    }
}
