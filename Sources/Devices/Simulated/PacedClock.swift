import MediaTypes
import Realtime

/// The clock of a simulated device: one tick per picture or period at exact deadlines, so that it never drifts from
/// the monotonic clock, however late each tick is handled.
struct PacedClock: Sendable, BitwiseCopyable {
    /// `ticksPerCycle` ticks take exactly `cycle`: 30000 in 1001 s is the rate 29.97.
    private let ticksPerCycle: Int64
    private let cycle: Interval
    private var cycleStart: MonotonicTime
    private var tickInCycle: Int64 = 0

    init(ticksPerCycle: Int, cycle: Interval, start: MonotonicTime) {
        precondition(ticksPerCycle > 0 && cycle > .zero, "a clock ticks forward")
        self.ticksPerCycle = Int64(ticksPerCycle)
        self.cycle = cycle
        cycleStart = start
    }

    /// 10 ms of audio per tick.
    static func audioPeriods(from start: MonotonicTime) -> PacedClock {
        PacedClock(ticksPerCycle: 100, cycle: .seconds(Int64(1)), start: start)
    }

    /// When the current tick is due.
    var deadline: MonotonicTime {
        // 128 bits: a long cycle times many ticks does not fit in 64.
        let product = tickInCycle.multipliedFullWidth(by: cycle.nanoseconds)
        return cycleStart + Interval(nanoseconds: ticksPerCycle.dividingFullWidth(product).quotient)
    }

    /// Goes on to the next tick.
    mutating func advance() {
        tickInCycle += 1
        if tickInCycle == ticksPerCycle {
            tickInCycle = 0
            cycleStart = cycleStart + cycle
        }
    }

    /// Goes on to the newest tick that is due at `now`, if more than one is.
    ///
    /// - Returns: how many ticks were left out.
    mutating func skipMissed(at now: MonotonicTime) -> Int64 {
        var missed: Int64 = 0
        if now - deadline > cycle * 2 {
            // Suspended or stopped for long: whole cycles at once.
            let cycles = (now - deadline).nanoseconds / cycle.nanoseconds - 1
            cycleStart = cycleStart + cycle * cycles
            missed += cycles * ticksPerCycle
        }
        while true {
            var next = self
            next.advance()
            guard next.deadline <= now else { return missed }
            self = next
            missed += 1
        }
    }
}
