/// The twin of an LED or a relay.
final class SimulatedOutput: LineOutput {
    private let lines: SimulatedLines
    private let line: String
    private var isOpen = true

    init(_ lines: SimulatedLines, _ line: String) throws(DeviceError) {
        try lines.take(line, signal: nil)
        self.lines = lines
        self.line = line
        lines.drive(line, false)
    }

    deinit {
        close()
    }

    func setActive(_ isActive: Bool) throws(DeviceError) {
        lines.drive(line, isActive)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        lines.drive(line, false)
        lines.giveBack(line)
    }
}
