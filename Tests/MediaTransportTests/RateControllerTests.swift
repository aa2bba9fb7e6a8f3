import MediaTypes
import Testing

@testable import MediaTransport

@Suite struct RateControllerTests {
    private let trip = Interval.milliseconds(50)

    private func time(_ milliseconds: Int64) -> MonotonicTime { .zero + .milliseconds(milliseconds) }

    @Test func withoutLossTheRateRisesByFivePercentASecond() {
        var controller = RateController(start: .kilobitsPerSecond(1_000))
        for second: Int64 in 0...10 {
            controller.noteLoss(0, usedRate: .kilobitsPerSecond(2_000), roundTrip: trip, at: time(second * 1_000))
        }
        // 1.05^10 = 1.629
        #expect((1_600...1_650).contains(controller.allowed.kilobitsPerSecond))
    }

    @Test func heavyLossHalvesItsPartOncePerRoundTrip() {
        var controller = RateController(start: .kilobitsPerSecond(1_000))
        controller.noteLoss(0.2, usedRate: .kilobitsPerSecond(1_000), roundTrip: trip, at: time(1_000))
        #expect(controller.allowed == .kilobitsPerSecond(900))
        controller.noteLoss(0.2, usedRate: .kilobitsPerSecond(1_000), roundTrip: trip, at: time(1_100))
        #expect(controller.allowed == .kilobitsPerSecond(900))
        controller.noteLoss(0.2, usedRate: .kilobitsPerSecond(1_000), roundTrip: trip, at: time(2_000))
        #expect(controller.allowed == .kilobitsPerSecond(810))
    }

    @Test func littleLossChangesNothing() {
        var controller = RateController(start: .kilobitsPerSecond(1_000))
        for second: Int64 in 0...10 {
            controller.noteLoss(0.05, usedRate: .kilobitsPerSecond(1_000), roundTrip: trip, at: time(second * 1_000))
        }
        #expect(controller.allowed == .kilobitsPerSecond(1_000))
    }

    @Test func whatIsNotUsedDoesNotGrow() {
        var controller = RateController(start: .kilobitsPerSecond(1_000))
        for second: Int64 in 0...60 {
            controller.noteLoss(0, usedRate: .kilobitsPerSecond(100), roundTrip: trip, at: time(second * 1_000))
        }
        #expect(controller.allowed == .kilobitsPerSecond(1_000))
    }

    @Test func theLimitsAndTheFarSidesLimitHold() {
        var controller = RateController(start: .kilobitsPerSecond(1_000))
        controller.limit(minimum: .kilobitsPerSecond(200), maximum: .kilobitsPerSecond(700))
        #expect(controller.allowed == .kilobitsPerSecond(700))
        controller.noteRemoteLimit(.kilobitsPerSecond(300))
        #expect(controller.allowed == .kilobitsPerSecond(300))
        controller.noteRemoteLimit(.kilobitsPerSecond(10))
        #expect(controller.allowed == .kilobitsPerSecond(200))
        controller.noteRemoteLimit(.kilobitsPerSecond(9_000))
        #expect(controller.allowed == .kilobitsPerSecond(700))
    }
}
