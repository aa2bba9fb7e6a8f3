import MediaTypes
import Synchronization
import Testing

@testable import Realtime

@Suite(.timeLimit(.minutes(5))) struct LoopWatchTests {
    private final class Wakes: Sendable {
        let count = Atomic<Int>(0)
    }

    private static func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0) + .milliseconds(milliseconds)
    }

    /// Looks from `start` to `end` as often as a watch wants to; what it found last.
    private static func look(
        _ watch: inout LoopWatch, at heartbeats: [Heartbeat], from start: Int64, to end: Int64
    ) -> [LoopWatch.StuckLoop] {
        var found: [LoopWatch.StuckLoop] = []
        for time in stride(from: start, through: end, by: Int(watch.interval.milliseconds)) {
            found = watch.look(at: heartbeats, now: LoopWatchTests.time(Int64(time)))
        }
        return found
    }

    @Test func aLoopThatTurnsIsWell() {
        let heartbeat = Heartbeat(name: "loop", at: Self.time(0))
        var watch = LoopWatch(longestPatience: .seconds(60))
        for time in stride(from: Int64(0), through: 60_000, by: 500) {
            heartbeat.beat(at: Self.time(time))
            #expect(watch.look(at: [heartbeat], now: Self.time(time)).isEmpty)
        }
    }

    @Test func aLoopThatDoesNotTurnIsFoundByNameAfterItsPatience() {
        let quick = Heartbeat(name: "quick", at: Self.time(0))
        let patient = Heartbeat(name: "patient", patience: .seconds(20), at: Self.time(0))
        var watch = LoopWatch(longestPatience: .seconds(60))
        #expect(Self.look(&watch, at: [quick, patient], from: 0, to: 8_000).isEmpty)
        #expect(Self.look(&watch, at: [quick, patient], from: 10_000, to: 20_000).map(\.name) == ["quick"])
        #expect(Self.look(&watch, at: [quick, patient], from: 22_000, to: 22_000).map(\.name) == ["quick", "patient"])
        quick.beat(at: Self.time(23_000))
        #expect(Self.look(&watch, at: [quick, patient], from: 24_000, to: 24_000).map(\.name) == ["patient"])
    }

    @Test func aLoopThatSleepsIsWokenBeforeItIsJudged() {
        let wakes = Wakes()
        let heartbeat = Heartbeat(name: "sleeper", at: Self.time(0)) { wakes.count.add(1, ordering: .relaxed) }
        var watch = LoopWatch(longestPatience: .seconds(60))
        #expect(Self.look(&watch, at: [heartbeat], from: 0, to: 2_000).isEmpty)
        #expect(wakes.count.load(ordering: .relaxed) == 0)
        #expect(Self.look(&watch, at: [heartbeat], from: 4_000, to: 4_000).isEmpty)
        #expect(wakes.count.load(ordering: .relaxed) == 1)
        heartbeat.beat(at: Self.time(4_001))
        #expect(Self.look(&watch, at: [heartbeat], from: 6_000, to: 8_000).isEmpty)
        #expect(wakes.count.load(ordering: .relaxed) == 1)
    }

    @Test func noLoopGetsMoreThanTheLongestPatience() {
        let heartbeat = Heartbeat(name: "device", patience: .seconds(20), at: Self.time(0))
        var watch = LoopWatch(longestPatience: .seconds(2))
        #expect(Self.look(&watch, at: [heartbeat], from: 0, to: 2_000).isEmpty)
        #expect(Self.look(&watch, at: [heartbeat], from: 2_500, to: 2_500).first?.patience == .seconds(2))
    }

    @Test func afterAStandstillOfTheWholeProcessNobodyIsToBlame() {
        let heartbeat = Heartbeat(name: "loop", at: Self.time(0))
        var watch = LoopWatch(longestPatience: .seconds(60))
        #expect(Self.look(&watch, at: [heartbeat], from: 0, to: 2_000).isEmpty)
        // Stopped for a minute: the watch itself did not look.
        #expect(watch.look(at: [heartbeat], now: Self.time(62_000)).isEmpty)
        #expect(Self.look(&watch, at: [heartbeat], from: 64_000, to: 70_000).isEmpty)
        #expect(Self.look(&watch, at: [heartbeat], from: 72_000, to: 72_000).map(\.name) == ["loop"])
    }

    @Test func aThreadIsWatchedFromItsStartToItsEnd() throws {
        let wake = try EventSignal()
        let thread = try RealtimeThread(name: "cb-watched", wakeSignal: wake) { stop in
            while !stop.isSet { _ = wake.wait(timeoutMilliseconds: -1) }
        }
        // It is among those of the whole process.
        let heartbeat = try #require(Heartbeat.all.first { $0.name == "cb-watched" })
        var before = heartbeat.latestTime
        let deadline = MonotonicClock.now() + .seconds(60)
        while !heartbeat.hasTurned, MonotonicClock.now() < deadline {
            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(2))
        }
        // It sleeps for ever, and turns when it is woken.
        for _ in 0..<3 {
            before = heartbeat.latestTime
            heartbeat.wake()
            while heartbeat.latestTime == before, MonotonicClock.now() < deadline {
                MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(2))
            }
            #expect(heartbeat.latestTime > before)
        }
        thread.stopAndJoin()
        #expect(!Heartbeat.all.contains { $0.name == "cb-watched" })
    }

    @Test func aThreadThatEndsWithoutBeingToldStaysUnderWatchUnlessItMay() throws {
        let ended = try EventSignal()
        let lost = try RealtimeThread(name: "cb-lost") { _ in ended.signal() }
        let deadline = MonotonicClock.now() + .seconds(60)
        #expect(ended.wait(timeoutMilliseconds: 60_000))
        let free = try RealtimeThread(name: "cb-free", endsByItself: true) { _ in }
        while Heartbeat.all.contains(where: { $0.name == "cb-free" }), MonotonicClock.now() < deadline {
            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(2))
        }
        #expect(!Heartbeat.all.contains { $0.name == "cb-free" })
        #expect(Heartbeat.all.contains { $0.name == "cb-lost" })
        lost.stopAndJoin()
        free.stopAndJoin()
        #expect(!Heartbeat.all.contains { $0.name == "cb-lost" })
    }
}
