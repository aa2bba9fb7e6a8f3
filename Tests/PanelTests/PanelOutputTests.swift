import Calls
import Devices
import MediaTypes
import Realtime
import Testing

@testable import Panel

@Suite(.serialized) struct PanelOutputTests {
    @Test func anLEDShowsItsIndicatorsByPriority() async throws {
        let bench = PanelBench(
            PanelSettings(leds: [
                PanelBench.led("LED", [LightRule(.fault, .off), LightRule(.joined), LightRule(.power)])
            ]))
        try bench.panel.start()
        bench.panel.show([.joined])
        #expect(await bench.waits { $0.lines.isActive("LED") })
        #expect(bench.panel.snapshot.first?.rule == LightRule(.joined))
        bench.panel.show([.joined, .fault])
        #expect(await bench.waits { !$0.lines.isActive("LED") })
        bench.panel.show([.power])
        #expect(await bench.waits { $0.lines.isActive("LED") })
        bench.panel.show([])
        #expect(await bench.waits { !$0.lines.isActive("LED") && $0.panel.snapshot.first?.rule == nil })
        bench.panel.stop()
    }

    /// 4 Hz for 3 s: 24 changes. A busy machine may miss some, and the test a few more.
    @Test func anLEDBlinksAtItsRate() async throws {
        let bench = PanelBench(PanelSettings(leds: [PanelBench.led("LED", [LightRule(.ringing, .fastBlink)])]))
        try bench.panel.start()
        bench.panel.show([.ringing])
        #expect(await bench.waits { $0.lines.isActive("LED") })
        let end = MonotonicClock.now() + .seconds(3)
        var changes = 0
        var level = true
        while MonotonicClock.now() < end {
            try await Task.sleep(for: .milliseconds(3))
            let now = bench.lines.isActive("LED")
            if now != level { changes += 1 }
            level = now
        }
        #expect((12...25).contains(changes), "\(changes) changes")
        bench.panel.stop()
        #expect(!bench.lines.isActive("LED"))
    }

    @Test func aRelayIsReleasedAfterItsPulse() async throws {
        let bench = PanelBench(PanelSettings(relays: [PanelBench.relay("door", pulse: 300, maximum: 1_000)]))
        try bench.panel.start()
        #expect(await bench.waits { $0.lines.isTaken("door") })
        let start = MonotonicClock.now()
        #expect(bench.panel.openRelay(nil, for: nil) == nil)
        #expect(await bench.waits { $0.lines.isActive("door") })
        #expect(await bench.waits { !$0.lines.isActive("door") })
        let time = MonotonicClock.now() - start
        #expect(time >= .milliseconds(299) && time < .milliseconds(2_000), "\(time.milliseconds) ms")
        bench.panel.stop()
    }

    @Test func noOrderKeepsARelayBeyondItsMaximum() async throws {
        let bench = PanelBench(PanelSettings(relays: [PanelBench.relay("door", pulse: 100, maximum: 500)]))
        try bench.panel.start()
        #expect(await bench.waits { $0.lines.isTaken("door") })
        let start = MonotonicClock.now()
        #expect(bench.panel.openRelay("door", for: .seconds(3_600)) == nil)
        #expect(await bench.waits { $0.lines.isActive("door") })
        #expect(await bench.waits { !$0.lines.isActive("door") })
        #expect(MonotonicClock.now() - start < .milliseconds(3_000))
        bench.panel.stop()
    }

    @Test func stoppingReleasesEverything() async throws {
        let bench = PanelBench(
            PanelSettings(
                leds: [PanelBench.led("LED", [LightRule(.power)])],
                relays: [PanelBench.relay("door", pulse: 60_000, maximum: 60_000)]))
        try bench.panel.start()
        bench.panel.show([.power])
        #expect(await bench.waits { $0.lines.isActive("LED") })
        #expect(bench.panel.openRelay("door", for: nil) == nil)
        #expect(await bench.waits { $0.lines.isActive("door") && $0.panel.snapshot.allSatisfy(\.isActive) })
        bench.panel.stop()
        for line in ["LED", "door"] { #expect(!bench.lines.isActive(line) && !bench.lines.isTaken(line)) }
        #expect(bench.panel.snapshot.allSatisfy { !$0.isActive })
        // An order for the time before is not kept for the time after.
        #expect(bench.panel.openRelay("door", for: nil) == .notRunning)
        try bench.panel.start()
        #expect(await bench.waits { $0.lines.isActive("LED") })
        #expect(!bench.lines.isActive("door"))
        bench.panel.stop()
    }

    @Test func theThreadSleepsWhileNothingHappens() async throws {
        let bench = PanelBench(
            PanelSettings(
                buttons: [PanelBench.button("call", [.press: .call, .longPress: .hangUp, .doublePress: .mute])],
                leds: [
                    PanelBench.led("LED", [LightRule(.power)]), PanelBench.led("DARK", [LightRule(.fault, .blink)]),
                ],
                relays: [PanelBench.relay("door", pulse: 100, maximum: 100)]))
        try bench.panel.start()
        bench.panel.show([.power])
        #expect(await bench.waits { $0.lines.isActive("LED") && $0.panel.snapshot.count == 4 })
        try await Task.sleep(for: .milliseconds(100))
        let before = bench.panel.wakeCount
        try await Task.sleep(for: .seconds(2))
        #expect(bench.panel.wakeCount == before)
        // What is shown already is no news.
        bench.panel.show([.power])
        try await Task.sleep(for: .milliseconds(100))
        #expect(bench.panel.wakeCount == before)
        bench.panel.stop()
    }

    @Test func aBlinkingLEDWakesTheThreadTwiceAPeriod() async throws {
        let bench = PanelBench(PanelSettings(leds: [PanelBench.led("LED", [LightRule(.power, .blink)])]))
        try bench.panel.start()
        bench.panel.show([.power])
        #expect(await bench.waits { $0.lines.isActive("LED") })
        let before = bench.panel.wakeCount
        try await Task.sleep(for: .seconds(2))
        let count = bench.panel.wakeCount - before
        #expect((2...8).contains(count), "\(count) times in 2 s")
        bench.panel.stop()
    }
}
