import CNetworkShims
import MediaTypes

/// One timer of the network loop: fires once each time it is set, and setting it again moves it.
///
/// - Thread: `cb-net` only.
package final class NetworkTimer {
    private var source: OpaquePointer?
    private let handler: () -> Void
    /// When it will fire; `distantFuture` when it is not set.
    package private(set) var deadline = MonotonicTime.distantFuture

    init(context: OpaquePointer, handler: @escaping () -> Void) {
        self.handler = handler
        source = ccb_timer_new(context, timerFired, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        cancel()
    }

    /// Fires at `deadline`, or never when it is `distantFuture`. Costs nothing when the time stays the same.
    package func set(_ deadline: MonotonicTime) {
        guard let source, deadline != self.deadline else { return }
        self.deadline = deadline
        // Rounded up: a timer that fires early would be set again for the rest of its microsecond.
        let isNever = deadline == .distantFuture
        ccb_timer_set(source, isNever ? -1 : max(0, (deadline.nanoseconds + 999) / 1_000))
    }

    /// Ends the timer for good and lets go of it in the loop.
    package func cancel() {
        guard let source else { return }
        self.source = nil
        deadline = .distantFuture
        ccb_source_free(source)
    }

    fileprivate func fire() {
        deadline = .distantFuture
        handler()
    }
}

private func timerFired(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<NetworkTimer>.fromOpaque(context).takeUnretainedValue().fire()
}
