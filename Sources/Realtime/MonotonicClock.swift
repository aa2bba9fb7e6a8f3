import Glibc
import MediaTypes

/// The one clock of timers and media: `CLOCK_MONOTONIC`.
package enum MonotonicClock {
    /// The time now. Costs no system call (vDSO); allowed on real-time threads.
    package static func now() -> MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Sleeps until the time has come; returns at once when it is past. Absolute, so that a loop does not drift.
    package static func sleep(until deadline: MonotonicTime) {
        guard deadline.nanoseconds > 0 else { return }
        var time = timespec(
            tv_sec: Int(deadline.nanoseconds / 1_000_000_000), tv_nsec: Int(deadline.nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
