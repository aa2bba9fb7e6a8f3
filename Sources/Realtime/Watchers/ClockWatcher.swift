import CLinuxShims
import Glibc

/// Notices that the wall clock is set (timerfd_create(2), `TFD_TIMER_CANCEL_ON_SET`). Slewing is no setting.
///
/// - Thread: one at a time; it waits on `fileDescriptor`. In an endpoint that is `cb-net`.
package final class ClockWatcher {
    /// Readable when `wasSet()` must be called.
    package let fileDescriptor: Int32

    package init() throws(SystemError) {
        let descriptor = ccb_clock_events()
        guard descriptor >= 0 else { throw SystemError(code: -descriptor, operation: "watch the clock") }
        fileDescriptor = descriptor
        let result = ccb_clock_arm(descriptor)
        guard result == 0 else {
            close(descriptor)
            throw SystemError(code: -result, operation: "watch the clock")
        }
    }

    deinit {
        close(fileDescriptor)
    }

    /// Whether the clock was set since the last call.
    package func wasSet() -> Bool {
        var count: UInt64 = 0
        let size = read(fileDescriptor, &count, 8)
        let isCancelled = size < 0 && errno == ECANCELED
        // It can only fail for a descriptor that is none.
        if isCancelled || size > 0 { _ = ccb_clock_arm(fileDescriptor) }
        return isCancelled
    }
}
