import Testing

@testable import MediaTypes

@Suite struct WrapAroundTests {
    static let starts: [UInt16] = [0, 1, 127, 128, 255, 256, 32_767, 32_768, 65_534, 65_535]

    @Test(arguments: starts) func sequenceDistanceIsTheShorterWayRound(start: UInt16) {
        let a = SequenceNumber(start)
        for step in [-32_768, -300, -1, 0, 1, 300, 32_767] {
            #expect(a.distance(to: a.advanced(by: step)) == step)
        }
    }

    @Test(arguments: starts) func unwrappedSequenceNumbersNeverWrap(start: UInt16) {
        var unwrapper = SequenceUnwrapper()
        let first = unwrapper.unwrap(SequenceNumber(start))
        for step in 1..<200_000 where step % 7 == 0 {
            #expect(unwrapper.unwrap(SequenceNumber(start).advanced(by: step)) == first + Int64(step))
        }
    }

    @Test func aLatePacketUnwrapsBelowTheHighest() {
        var unwrapper = SequenceUnwrapper()
        #expect(unwrapper.unwrap(SequenceNumber(2)) == 2)
        #expect(unwrapper.unwrap(SequenceNumber(65_535)) == -1)
        #expect(unwrapper.unwrap(SequenceNumber(3)) == 3)
    }

    @Test(arguments: [UInt32(0), 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF])
    func timestampsUnwrapAcrossTheirEnd(start: UInt32) {
        var unwrapper = TimestampUnwrapper()
        let first = unwrapper.unwrap(RTPTimestamp(start))
        var ticks = 0
        for _ in 0..<20 {
            ticks += 1_000_000_000
            #expect(unwrapper.unwrap(RTPTimestamp(start).advanced(byTicks: ticks)) == first + Int64(ticks))
        }
    }
}
