import Realtime

/// Runs what blocks on a thread of its own: the shared pool must not wait.
enum TestThread {
    /// Returns when the body has returned.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        let box = ThreadBox()
        let result = await withCheckedContinuation { continuation in
            do {
                box.thread = try RealtimeThread(name: "cb-test") { _ in continuation.resume(returning: body()) }
            } catch {
                preconditionFailure("\(error)")
            }
        }
        box.thread?.stopAndJoin()
        return result
    }

    // @unchecked: written before the continuation returns to the one task that reads it.
    private final class ThreadBox: @unchecked Sendable {
        var thread: RealtimeThread?
    }
}
