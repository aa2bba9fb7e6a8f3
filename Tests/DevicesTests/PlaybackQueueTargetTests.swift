import MediaTypes
import Testing

@testable import Devices

@Suite struct PlaybackQueueTargetTests {
    @Test func theQueueGrowsAfterThreeInterruptionsAndShrinksInQuiet() {
        var target = PlaybackQueueTarget(shortest: 960, longest: 2_000, step: 480)
        var now = MonotonicTime(nanoseconds: 1)
        func wait(_ seconds: Int64) { now = now + .seconds(seconds) }
        for _ in 0..<10 {
            target.interrupted(at: now)
            wait(11)
        }
        #expect(target.frames == 960)
        for _ in 0..<3 { target.interrupted(at: now) }
        #expect(target.frames == 1_440)
        for _ in 0..<9 { target.interrupted(at: now) }
        #expect(target.frames == 2_000)
        wait(59)
        target.advance(to: now)
        #expect(target.frames == 2_000)
        wait(2)
        target.advance(to: now)
        target.advance(to: now)
        #expect(target.frames == 1_520)
        for _ in 0..<3 {
            wait(61)
            target.advance(to: now)
        }
        #expect(target.frames == 960)
    }
}
