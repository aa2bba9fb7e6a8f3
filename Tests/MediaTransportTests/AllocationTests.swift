import Realtime
import Testing

@testable import MediaTransport

/// Once everything has its size, media flows without a single allocation.
@Suite struct AllocationTests {
    @Test(.enabled(if: AllocationCounter.isActive), arguments: [0, 20])
    func mediaInSteadyStateAllocatesNothing(lossDistance: Int) {
        let pair = SteadyStatePair(seed: 7)
        pair.lossDistance = lossDistance
        pair.run(periods: 300)
        let frames = pair.receivedFrames
        let played = pair.playedPackets
        let count = AllocationCounter.count { pair.run(periods: 500) }
        #expect(pair.receivedFrames - frames > 900)
        #expect(pair.playedPackets - played > 420)
        #expect(count == 0)
    }
}
