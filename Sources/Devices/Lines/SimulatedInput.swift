import Realtime

/// The twin of a button.
final class SimulatedInput: LineInput {
    private let lines: SimulatedLines
    private let line: String
    private let signal: EventSignal
    private var isOpen = true

    init(_ lines: SimulatedLines, _ line: String) throws(DeviceError) {
        do throws(SystemError) {
            signal = try EventSignal()
        } catch {
            throw .system(name: line, operation: "open", code: error.code)
        }
        try lines.take(line, signal: signal)
        self.lines = lines
        self.line = line
    }

    deinit {
        close()
    }

    var fileDescriptor: Int32 { signal.fileDescriptor }
    var isDebounced: Bool { false }

    func isActive(_ index: Int) throws(DeviceError) -> Bool { lines.isActive(line) }

    func readEdges() throws(DeviceError) -> [LineEdge] {
        // Before the edges are taken: one that comes in between signals again.
        signal.drain()
        return lines.takeEdges(line)
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        lines.giveBack(line)
    }
}
