import MediaTypes
import Testing

@testable import Calls

@Suite struct LightAndRelayTests {
    static let start = MonotonicTime(nanoseconds: 3_000_000_000)

    static let waves: [(LightPattern, lit: Int64, period: Int64)] = [
        (.blink, 500, 1_000), (.fastBlink, 125, 250), (.pulse, 100, 2_000),
    ]

    @Test(arguments: waves) func aPatternIsLitFromItsBeginningForItsTime(
        pattern: LightPattern, lit: Int64, period: Int64
    ) {
        for elapsed in Int64(0)..<5_000 {
            let isLit = elapsed % period < lit
            let elapsedTime = Interval.milliseconds(elapsed)
            #expect(pattern.isLit(after: elapsedTime) == isLit)
            let next = elapsed - elapsed % period + (isLit ? lit : period)
            #expect(pattern.nextChange(after: elapsedTime) == .milliseconds(next))
        }
        #expect(pattern.isLit(after: .milliseconds(-5)))
    }

    @Test func onAndOffNeverChange() {
        for pattern in [LightPattern.on, .off] {
            #expect(pattern.isLit(after: .seconds(5)) == (pattern == .on))
            #expect(pattern.nextChange(after: .seconds(5)) == nil)
        }
    }

    @Test func theFirstIndicatorThatIsOnWins() {
        var light = Light(LightSettings([.init(.fault, .fastBlink), .init(.muted, .off), .init(.power, .on)]))
        #expect(!light.isLit && light.nextDeadline == .distantFuture)
        light.show([.power], at: Self.start)
        #expect(light.isLit && light.nextDeadline == .distantFuture)
        light.show([.power, .muted], at: Self.start)
        #expect(!light.isLit && light.rule?.indicator == .muted)
        light.show([.power, .muted, .fault], at: Self.start)
        #expect(light.isLit && light.nextDeadline == Self.start + .milliseconds(125))
        light.show([.joined], at: Self.start)
        #expect(!light.isLit && light.rule == nil)
    }

    @Test func aPatternThatGoesOnDoesNotJump() {
        var light = Light(LightSettings([.init(.ringing, .blink), .init(.reconnecting, .blink)]))
        light.show([.reconnecting], at: Self.start)
        light.show([.ringing, .reconnecting], at: Self.start + .milliseconds(400))
        #expect(light.nextDeadline == Self.start + .milliseconds(500))
        #expect(light.rule?.indicator == .ringing)
    }

    @Test func deadlinesAloneDriveThePattern() {
        for (pattern, lit, period) in Self.waves {
            var light = Light(LightSettings([.init(.power, pattern)]))
            light.show([.power], at: Self.start)
            var changes: [Int64] = []
            for _ in 0..<6 {
                let before = light.isLit
                let deadline = light.nextDeadline
                light.advance(to: deadline)
                #expect(light.isLit != before)
                changes.append((deadline - Self.start).milliseconds)
            }
            #expect(changes == [lit, period, period + lit, 2 * period, 2 * period + lit, 3 * period])
        }
    }

    private func relay(pulse: Int64 = 3_000, maximum: Int64 = 10_000) -> RelayTimer {
        var timing = RelayTiming()
        timing.pulse = .milliseconds(pulse)
        timing.maximum = .milliseconds(maximum)
        return RelayTimer(timing)
    }

    /// Orders (at, for) and the time of release, all in ms.
    static let orders: [(orders: [(Int64, Int64?)], release: Int64)] = [
        ([(0, nil)], 3_000),
        ([(0, 500)], 500),
        ([(0, 60_000)], 10_000),
        ([(0, 0)], 1),
        ([(0, -500)], 1),
        // Lengthened, never shortened.
        ([(0, nil), (2_000, nil)], 5_000),
        ([(0, 5_000), (1_000, 500)], 5_000),
        // Never beyond the maximum after the first order.
        ([(0, nil), (2_000, nil), (4_000, nil), (6_000, nil), (8_000, nil), (9_999, nil)], 10_000),
        // After it was released it starts anew.
        ([(0, nil), (3_000, nil)], 6_000),
        ([(0, 10_000), (10_000, 10_000)], 20_000),
    ]

    @Test(arguments: orders) func aRelayIsReleasedInTime(orders: [(Int64, Int64?)], release: Int64) {
        var relay = relay()
        #expect(!relay.isActive && relay.nextDeadline == .distantFuture)
        for (moment, time) in orders {
            relay.pull(for: time.map { .milliseconds($0) }, at: Self.start + .milliseconds(moment))
            #expect(relay.isActive)
        }
        #expect(relay.nextDeadline == Self.start + .milliseconds(release))
        relay.advance(to: Self.start + .milliseconds(release) - .nanoseconds(1))
        #expect(relay.isActive)
        relay.advance(to: Self.start + .milliseconds(release))
        #expect(!relay.isActive && relay.nextDeadline == .distantFuture)
    }

    @Test func aRelayCanBeReleasedAtOnce() {
        var relay = relay()
        relay.pull(for: nil, at: Self.start)
        relay.release(at: Self.start + .milliseconds(1))
        #expect(!relay.isActive)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func noOrdersKeepARelayPulledBeyondItsMaximum(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var relay = relay(pulse: 2_000, maximum: 5_000)
        var now = Self.start
        var pulledSince: MonotonicTime?
        for _ in 0..<20_000 {
            now = now + .milliseconds(Int64.random(in: 0...400, using: &random))
            relay.advance(to: now)
            if !relay.isActive { pulledSince = nil }
            relay.pull(for: .milliseconds(Int64.random(in: -100...20_000, using: &random)), at: now)
            pulledSince = pulledSince ?? now
            #expect(relay.nextDeadline - (pulledSince ?? now) <= .milliseconds(5_000), "seed \(seed)")
        }
    }
}
