import Synchronization

/// Counts something under a name that `callbox status` shows: "rtp.dropped.malformed".
///
/// Counters of one name are one counter. Making one locks and allocates, counting does neither: make it at start, keep
/// it, count on any thread.
package struct Counter: Sendable {
    private final class Cell: Sendable {
        let count = Atomic<Int>(0)
    }

    private static let cells = Mutex<[String: Cell]>([:])
    private let cell: Cell

    /// - Parameter name: lower case, words joined by dots; from code, so that the set of names is bounded.
    package init(_ name: StaticString) {
        cell = Counter.cells.withLock { cells in
            if let cell = cells[name.description] { return cell }
            let cell = Cell()
            cells[name.description] = cell
            return cell
        }
    }

    package var value: Int { cell.count.load(ordering: .relaxed) }

    package func increment(by amount: Int = 1) {
        cell.count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// All counters, ordered by name.
    package static func snapshot() -> [(name: String, value: Int)] {
        cells.withLock { cells in
            cells.map { (name: $0.key, value: $0.value.count.load(ordering: .relaxed)) }
        }.sorted { $0.name < $1.name }
    }
}
