import MediaTypes
import Testing

@testable import Devices

@Suite struct PatienceTests {
    /// What a patience of a second says at these milliseconds.
    private func looks(_ milliseconds: [Int64]) -> [Bool] {
        let begin = MonotonicTime(nanoseconds: 1_000_000_000)
        var patience = Patience(.seconds(1), at: begin)
        return milliseconds.map { patience.holds(at: begin + .milliseconds($0)) }
    }

    @Test func aDeviceThatGivesNothingIsStalledAfterItsTime() {
        let times = (1...11).map { Int64(100 * $0) }
        #expect(looks(times) == Array(repeating: true, count: 9) + [false, false])
    }

    @Test func aProcessThatWasStoppedForMinutesHasNotWaitedForTheDevice() {
        #expect(looks([100, 300_000, 300_150, 300_350, 300_549, 300_649]) == Array(repeating: true, count: 6))
        // Then the rest of its time is the device's.
        #expect(looks([100, 300_000, 300_150, 300_350, 300_549, 300_649, 300_800]).last == false)
    }

    @Test func aBusyLoopUsesItUpAsWell() {
        #expect(looks((1...2_000).map { _ in 999 }).allSatisfy { $0 } == true)
        #expect(looks((1...999).map(Int64.init)).allSatisfy { $0 })
        #expect(looks((1...1_000).map(Int64.init)).last == false)
    }
}
