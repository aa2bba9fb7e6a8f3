import MediaTypes
import Realtime
import Synchronization

/// The lines of the chip `simulated`: inputs are set, and outputs read, by the program that also uses them.
///
/// - Thread: any.
package final class SimulatedLines: Sendable {
    private struct Line {
        var isActive = false
        var isTaken = false
        /// Wakes who watches; nil for an output.
        var signal: EventSignal?
        var edges: [LineEdge] = []
    }

    /// Like the kernel's queue of a line: what does not fit is lost, and the level is read again.
    static let queueLength = 16
    private let lines = Mutex<[String: Line]>([:])

    package init() {}

    /// Sets an input, whether or not anybody watches it yet.
    /// - Parameter time: when it happened.
    package func set(_ line: String, isActive: Bool, at time: MonotonicTime = MonotonicClock.now()) {
        lines.withLock { lines in
            var entry = lines[line] ?? Line()
            let changes = entry.isActive != isActive
            entry.isActive = isActive
            if changes, entry.signal != nil, entry.edges.count <= SimulatedLines.queueLength {
                entry.edges.append(LineEdge(index: 0, isActive: isActive, time: time))
            }
            lines[line] = entry
            if changes { entry.signal?.signal() }
        }
    }

    /// The level of an input as it was set, or of an output as it is driven; false for a line that nobody used.
    package func isActive(_ line: String) -> Bool {
        lines.withLock { $0[line]?.isActive ?? false }
    }

    /// Whether somebody has the line.
    package func isTaken(_ line: String) -> Bool {
        lines.withLock { $0[line]?.isTaken ?? false }
    }

    /// Takes the line for nobody, or gives it back: for tests of a busy line.
    package func setTaken(_ line: String, _ isTaken: Bool) {
        lines.withLock { $0[line, default: Line()].isTaken = isTaken }
    }

    func take(_ line: String, signal: EventSignal?) throws(DeviceError) {
        let isFree = lines.withLock { lines in
            guard lines[line]?.isTaken != true else { return false }
            lines[line, default: Line()].isTaken = true
            lines[line]?.signal = signal
            lines[line]?.edges = []
            return true
        }
        guard isFree else {
            let name = LineAddress(chip: LineAddress.simulatedChip, line: line).description
            throw .busy(name: name, holder: "another button, LED or relay")
        }
    }

    func giveBack(_ line: String) {
        lines.withLock { lines in
            lines[line]?.isTaken = false
            lines[line]?.signal = nil
            lines[line]?.edges = []
        }
    }

    func drive(_ line: String, _ isActive: Bool) {
        lines.withLock { $0[line]?.isActive = isActive }
    }

    /// The waiting edges, and the level behind them when the queue ran over.
    func takeEdges(_ line: String) -> [LineEdge] {
        lines.withLock { lines in
            guard var entry = lines[line] else { return [] }
            var edges = entry.edges
            entry.edges = []
            lines[line] = entry
            guard let last = edges.last, edges.count > SimulatedLines.queueLength else { return edges }
            edges[edges.count - 1] = LineEdge(index: 0, isActive: entry.isActive, time: last.time, isLevel: true)
            return edges
        }
    }
}
