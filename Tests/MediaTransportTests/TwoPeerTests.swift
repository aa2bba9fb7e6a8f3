import MediaTypes
import Testing

@testable import MediaTransport

/// Two sessions over a simulated network in virtual time; every test prints its seed.
@Suite struct TwoPeerTests {
    static let seeds: [UInt64] = [1, 2, 3, 4, 5, 6]

    static var badNetwork: NetworkProfile {
        var profile = NetworkProfile()
        profile.loss = 0.10
        profile.jitter = .milliseconds(60)
        return profile
    }

    /// Concealed part of the time that was played.
    static func concealed(_ peer: VirtualPeer) -> Double {
        let statistics = peer.jitter.statistics
        return Double(statistics.concealedFrames) / Double(max(1, statistics.playedFrames))
    }

    @Test func aPerfectNetworkLosesNothing() {
        let call = VirtualCall(seed: 99)
        call.run(for: .seconds(10 as Int64))
        let statistics = call.b.jitter.statistics
        #expect(statistics.concealedFrames == 0)
        #expect(call.b.frames.count >= 295)
        #expect(call.b.brokenChains == 0 && call.b.damagedPayloads == 0)
        #expect(call.b.frames.map(\.number) == (0..<Int64(call.b.frames.count)).map { $0 })
        #expect(call.b.longestStall < .milliseconds(80))
        #expect(
            call.a.session.statistics.roundTripTime.map { $0 > .milliseconds(35) && $0 < .milliseconds(60) } ?? false)
        #expect(call.b.session.statistics.lines[1].received.nacksSent == 0)
        #expect(call.b.session.statistics.lines[1].received.keyFrames == 1)
    }

    @Test(arguments: seeds) func audioIsHardlyConcealedOnABadNetwork(seed: UInt64) {
        print("seed \(seed)")
        let call = VirtualCall(seed: seed, toB: Self.badNetwork, toA: Self.badNetwork)
        call.run(for: .seconds(40 as Int64))
        let statistics = call.b.jitter.statistics
        #expect(Self.concealed(call.b) < 0.02)
        #expect(statistics.targetDelay < .milliseconds(160))
    }

    @Test(arguments: seeds, [true, false]) func videoRecoversFromEveryLoss(seed: UInt64, usesRTX: Bool) {
        print("seed \(seed)")
        var options = LineOptions()
        options.usesRTX = usesRTX
        let call = VirtualCall(seed: seed, toB: Self.badNetwork, toA: Self.badNetwork, options: options)
        call.run(for: .seconds(20 as Int64))
        #expect(call.b.brokenChains == 0)
        #expect(call.b.damagedPayloads == 0)
        #expect(call.b.longestStall < .milliseconds(1_000))
        #expect(call.b.frames.count > 560)
        #expect(call.a.keyFrameRequests.count <= 12)
    }

    @Test(arguments: seeds) func theSameSeedGivesTheSameEvents(seed: UInt64) {
        print("seed \(seed)")
        func eventHash(_ seed: UInt64) -> UInt64 {
            let call = VirtualCall(seed: seed, toB: Self.badNetwork, toA: Self.badNetwork)
            call.run(for: .seconds(5 as Int64))
            return call.eventHash
        }
        let first = eventHash(seed)
        #expect(eventHash(seed) == first)
        #expect(eventHash(seed + 1_000) != first)
    }
}
