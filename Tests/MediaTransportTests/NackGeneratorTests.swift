import MediaTypes
import Testing

@testable import MediaTransport

@Suite struct NackGeneratorTests {
    private func due(
        _ generator: inout NackGenerator, at time: MonotonicTime, roundTrip: Interval = .milliseconds(50)
    ) -> [Int64] {
        var index = 0
        var numbers: [Int64] = []
        while let number = generator.nextDue(from: &index, roundTrip: roundTrip, at: time) { numbers.append(number) }
        return numbers
    }

    private func milliseconds(_ count: Int64) -> MonotonicTime { .zero + .milliseconds(count) }

    @Test func aMissingPacketIsAskedForAfterAMomentAndAgainAfterARoundTrip() {
        var generator = NackGenerator(policy: .video)
        check(generator.noteMissing(10..<12, at: .zero))
        check(due(&generator, at: milliseconds(1)) == [])
        check(generator.nextDeadline(roundTrip: .milliseconds(50)) == milliseconds(3))
        check(due(&generator, at: milliseconds(3)) == [10, 11])
        check(due(&generator, at: milliseconds(50)) == [])
        check(generator.noteArrival(10, isRetransmission: true, at: milliseconds(55)))
        check(due(&generator, at: milliseconds(63)) == [11])
    }

    @Test func askingEndsAfterTenTimes() {
        var generator = NackGenerator(policy: .video)
        _ = generator.noteMissing(5..<6, at: .zero)
        var count = 0
        for time: Int64 in 0..<3_000 { count += due(&generator, at: milliseconds(time)).count }
        check(count == 10)
        check(generator.log.count == 0)
        check(generator.nextDeadline(roundTrip: .zero) == .distantFuture)
    }

    @Test func audioIsNotAskedForWhenItIsTooLateToPlay() {
        var generator = NackGenerator(policy: .audio)
        _ = generator.noteMissing(5..<6, at: .zero)
        check(due(&generator, at: milliseconds(300)) == [])
        check(generator.log.count == 0)
    }

    @Test func reorderingMakesItMorePatient() {
        var generator = NackGenerator(policy: .video)
        _ = generator.noteMissing(1..<2, at: .zero)
        check(!generator.noteArrival(1, isRetransmission: false, at: milliseconds(2)))
        _ = generator.noteMissing(5..<6, at: milliseconds(10))
        _ = generator.noteArrival(5, isRetransmission: false, at: milliseconds(30))
        check(generator.reorderWait == .milliseconds(22))
        _ = generator.noteMissing(9..<10, at: milliseconds(40))
        check(due(&generator, at: milliseconds(60)) == [])
        check(due(&generator, at: milliseconds(62)) == [9])
        for _ in 0..<5_000 { generator.noteInOrder() }
        check(generator.reorderWait == NackGenerator.shortestReorderWait)
    }

    @Test func tooMuchMissingIsGivenUp() {
        var generator = NackGenerator(policy: .video)
        check(generator.noteMissing(0..<512, at: .zero))
        check(!generator.noteMissing(513..<514, at: .zero))
        check(generator.log.count == 0)
    }

    @Test func forgettingTakesOutWhatIsOlder() {
        var generator = NackGenerator(policy: .video)
        _ = generator.noteMissing(0..<10, at: .zero)
        generator.forget(below: 7)
        check(due(&generator, at: milliseconds(10)) == [7, 8, 9])
    }
}
