import Synchronization

/// Tells the body of a thread that it shall return.
package final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    /// Whether the thread shall return; cheap enough for every period.
    package var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() {
        flag.store(true, ordering: .releasing)
    }
}
