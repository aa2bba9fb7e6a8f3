import Synchronization

/// Tells the body of a thread that it shall return, and hears from it that it turns.
package final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    let heartbeat: Heartbeat

    init(heartbeat: Heartbeat) {
        self.heartbeat = heartbeat
    }

    /// Whether the thread shall return; asked by the loop in every turn, which is its heartbeat. Cheap enough for every
    /// period.
    package var isSet: Bool {
        heartbeat.beat()
        return flag.load(ordering: .acquiring)
    }

    func set() {
        flag.store(true, ordering: .releasing)
    }

    /// For the owner, who does not turn.
    var isRequested: Bool { flag.load(ordering: .acquiring) }
}
