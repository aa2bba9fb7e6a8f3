import CWebSocketShims
import Synchronization

/// Wakes the thread that runs a libwebsockets context, from any thread, for as long as the context lives.
final class LoopWaker: Sendable {
    // The pointer is used under the lock only, and cleared under it before the context is destroyed.
    private struct Context: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    private let context = Mutex(Context(pointer: nil))

    func attach(_ pointer: OpaquePointer) {
        context.withLock { $0.pointer = pointer }
    }

    /// After this the context may be destroyed.
    func detach() {
        context.withLock { $0.pointer = nil }
    }

    func wake() {
        context.withLock { context in
            if let pointer = context.pointer { lws_cancel_service(pointer) }
        }
    }
}
