import MediaTypes
import Realtime

/// Waiting in real time, for tests of what runs by the machine's clock.
enum RealTime {
    static func sleep(_ interval: Interval) {
        MonotonicClock.sleep(until: MonotonicClock.now() + interval)
    }

    /// Asks again until the answer is yes; false when it is still no after `limit`.
    static func wait(
        limit: Interval = .seconds(Int64(20)), until isTrue: () async -> Bool
    ) async -> Bool {
        let end = MonotonicClock.now() + limit
        while MonotonicClock.now() < end {
            if await isTrue() { return true }
            try? await Task.sleep(nanoseconds: 10_000_000)
        }
        return await isTrue()
    }
}
