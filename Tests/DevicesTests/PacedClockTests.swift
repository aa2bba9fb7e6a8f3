import MediaTypes
import Testing

@testable import Devices

@Suite struct PacedClockTests {
    @Test func thirtyThousandTicksOf29Point97TakeExactly1001Seconds() {
        let start = MonotonicTime(nanoseconds: 5)
        var clock = PacedClock(ticksPerCycle: 30_000, cycle: .seconds(Int64(1_001)), start: start)
        var previous = clock.deadline
        for _ in 0..<90_000 {
            clock.advance()
            let step = (clock.deadline - previous).nanoseconds
            if step != 33_366_666 && step != 33_366_667 { Issue.record("a step of \(step) ns") }
            previous = clock.deadline
        }
        #expect(clock.deadline - start == .seconds(Int64(3_003)))
    }

    @Test func missedTicksAreLeftOutAndTheRestStaysInTime() {
        let start = MonotonicTime(nanoseconds: 0)
        var clock = PacedClock.audioPeriods(from: start)
        #expect(clock.skipMissed(at: start) == 0)
        #expect(clock.skipMissed(at: start + .milliseconds(9)) == 0)
        #expect(clock.skipMissed(at: start + .milliseconds(10)) == 1)
        #expect(clock.skipMissed(at: start + .milliseconds(35)) == 2)
        #expect(clock.deadline == start + .milliseconds(30))
        // A day in suspend is left out at once.
        #expect(clock.skipMissed(at: start + .seconds(Int64(86_400))) == 8_640_000 - 3)
        #expect(clock.deadline == start + .seconds(Int64(86_400)))
    }
}
