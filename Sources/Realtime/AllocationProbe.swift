import Synchronization

/// Lets a test see how often a media thread has allocated so far, while that thread runs.
///
/// - Thread: `record` on the observed thread, once per period; `count` from anywhere. Costs one store, and counts only
///   where `AllocationCounter` does.
package final class AllocationProbe: Sendable {
    private let latest = Atomic<Int>(0)

    package init() {}

    package func record() {
        latest.store(AllocationCounter.count, ordering: .relaxed)
    }

    /// Allocations of the observed thread up to its last `record`.
    package var count: Int { latest.load(ordering: .relaxed) }
}
