import CLinuxShims
import Glibc
import MediaTypes

/// Wakes a thread that waits in `poll`: an eventfd.
///
/// Many signals before one wait count as one. Any thread may signal; allowed on real-time threads (one system call,
/// never blocks).
package final class EventSignal: Sendable {
    /// For `poll` sets and main loops: readable while a signal is pending.
    package let fileDescriptor: Int32

    package init() throws(SystemError) {
        fileDescriptor = ccb_eventfd()
        guard fileDescriptor >= 0 else {
            throw SystemError(code: -fileDescriptor, operation: "make an event descriptor")
        }
    }

    deinit {
        if fileDescriptor >= 0 { close(fileDescriptor) }
    }

    /// Makes the descriptor readable.
    package func signal() {
        var one: UInt64 = 1
        // It can only fail with EAGAIN, when 2^64 − 2 signals are pending: then the waiter wakes anyhow.
        _ = write(fileDescriptor, &one, 8)
    }

    /// Takes the pending signal, if there is one.
    package func drain() {
        var count: UInt64 = 0
        _ = read(fileDescriptor, &count, 8)
    }

    /// Waits for a signal and takes it.
    /// - Parameter timeoutMilliseconds: 0 looks without waiting; negative waits for ever.
    /// - Returns: whether there was one; false means that the time is up.
    package func wait(timeoutMilliseconds: Int32) -> Bool {
        let deadline = MonotonicClock.now() + .milliseconds(Int64(timeoutMilliseconds))
        var remaining = timeoutMilliseconds
        while true {
            var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            let result = poll(&entry, 1, remaining)
            if result > 0 {
                drain()
                return true
            }
            guard result < 0, errno == EINTR else { return false }
            if timeoutMilliseconds > 0 {
                remaining = Int32(max(0, (deadline - MonotonicClock.now()).milliseconds))
            }
        }
    }
}
