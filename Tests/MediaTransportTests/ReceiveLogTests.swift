import MediaTypes
import Testing

@testable import MediaTransport

@Suite struct ReceiveLogTests {
    @Test(arguments: wrapAroundStarts) func gapsDuplicatesAndLateOnesAreFoundAcrossTheWrap(start: UInt16) {
        var unwrapper = SequenceUnwrapper()
        var log = ReceiveLog()
        func sequence(_ step: Int) -> Int64 { unwrapper.unwrap(SequenceNumber(start).advanced(by: step)) }
        let first = sequence(0)
        check(log.insert(first) == .newest(missing: first..<first))
        check(log.insert(sequence(3)) == .newest(missing: (first + 1)..<(first + 3)))
        check(log.insert(sequence(3)) == .duplicate)
        check(log.insert(sequence(1)) == .late)
        check(log.insert(sequence(1)) == .duplicate)
        check(log.expectedCount == 4)
        check(log.receivedCount == 3)
        for step in 4..<5_000 {
            let next = sequence(step)
            check(log.insert(next) == .newest(missing: next..<next))
        }
        check(log.insert(first + 2) == .tooOld)
    }

    @Test func aPacketBeforeTheFirstOneIsLate() {
        var log = ReceiveLog()
        _ = log.insert(100)
        check(log.insert(98) == .late)
        check(log.expectedCount == 3)
    }

    @Test func oneStrayPacketDoesNotThrowTheStreamAway() {
        var log = ReceiveLog()
        for sequence: Int64 in 0..<10 { _ = log.insert(sequence) }
        check(log.insert(20_000) == .tooOld)
        check(log.insert(10) == .newest(missing: 10..<10))
        check(log.insert(20_001) == .tooOld)
        check(log.insert(20_002) == .restart)
        check(log.insert(20_003) == .newest(missing: 20_003..<20_003))
    }

    @Test func aRestartBelowEverythingIsNotCountedAsLoss() {
        var log = ReceiveLog()
        for sequence: Int64 in 30_000..<30_100 { _ = log.insert(sequence) }
        check(log.insert(100) == .tooOld)
        check(log.insert(101) == .restart)
        check(log.insert(102) == .newest(missing: 102..<102))
        check(log.expectedCount == 102)
        check(log.receivedCount == 102)
    }
}
