import Calls
import Devices
import MediaTypes
import Realtime
import Testing

@testable import Panel

@Suite struct PanelTests {
    @Test func gesturesReachTheCallback() async throws {
        let bench = PanelBench(
            PanelSettings(buttons: [
                PanelBench.button("call", [.press: .intercom]),
                PanelBench.button("talk", [.hold: .talk], line: "BTN_TALK"),
            ]))
        try bench.panel.start()
        #expect(await bench.waits { $0.panel.snapshot.count == 2 })
        #expect(bench.panel.setSimulatedLine("call", active: true) == nil)
        #expect(await bench.waits { $0.panel.snapshot[0].isActive })
        #expect(bench.panel.setSimulatedLine("call", active: false) == nil)
        #expect(await bench.waitsForEvents(1))
        #expect(bench.panel.setSimulatedLine("BTN_TALK", active: true) == nil)
        #expect(await bench.waitsForEvents(2))
        #expect(bench.panel.setSimulatedLine("talk", active: false) == nil)
        #expect(await bench.waitsForEvents(3))
        bench.panel.stop()
        #expect(
            bench.events == [
                .gesture(button: "call", .shortPress), .gesture(button: "talk", .holdStarted),
                .gesture(button: "talk", .holdEnded),
            ])
        #expect(bench.panel.settings.action(for: .shortPress, of: "call", in: .ringing) == .answer)
    }

    /// C12: contacts bounce for up to 20 ms; the edges' own times count, however late the thread is.
    @Test(arguments: [1, 2, 3] as [UInt64]) func bouncesMakeOnePress(seed: UInt64) async throws {
        let bench = PanelBench(PanelSettings(buttons: [PanelBench.button("call", [.press: .call])]))
        try bench.panel.start()
        #expect(await bench.waits { $0.lines.isTaken("call") })
        var random = SeededRandom(seed: seed)
        for press in 1...3 {
            for isDown in [true, false] {
                let start = MonotonicClock.now()
                var offset: Int64 = 0
                var level = isDown
                while offset < 20 {
                    bench.lines.set("call", isActive: level, at: start + .milliseconds(offset))
                    level.toggle()
                    offset += Int64.random(in: 1...6, using: &random)
                }
                bench.lines.set("call", isActive: isDown, at: start + .milliseconds(20))
                #expect(await bench.waits { $0.panel.snapshot[0].isActive == isDown }, "seed \(seed)")
            }
            #expect(bench.events.count == press, "seed \(seed)")
        }
        bench.panel.stop()
        #expect(Set(bench.events) == [.gesture(button: "call", .shortPress)], "seed \(seed)")
    }

    @Test func aStuckButtonIsToldOnceAndItsReleaseToo() async throws {
        var timing = ButtonTiming()
        timing.stuck = .milliseconds(200)
        let bench = PanelBench(
            PanelSettings(buttons: [PanelBench.button("talk", [.hold: .talk], timing: timing)]))
        try bench.panel.start()
        bench.lines.set("talk", isActive: false)
        #expect(await bench.waits { $0.lines.isTaken("talk") })
        bench.lines.set("talk", isActive: true)
        #expect(await bench.waits { $0.panel.snapshot[0].isStuck })
        try await Task.sleep(for: .milliseconds(500))
        bench.lines.set("talk", isActive: false)
        #expect(await bench.waits { !$0.panel.snapshot[0].isStuck })
        bench.panel.stop()
        #expect(
            bench.events == [
                .gesture(button: "talk", .holdStarted), .gesture(button: "talk", .holdEnded), .stuck(button: "talk"),
                .released(button: "talk"),
            ])
    }

    @Test func stoppingEndsAHold() async throws {
        let bench = PanelBench(PanelSettings(buttons: [PanelBench.button("talk", [.hold: .talk])]))
        try bench.panel.start()
        #expect(await bench.waits { $0.lines.isTaken("talk") })
        bench.lines.set("talk", isActive: true)
        #expect(await bench.waitsForEvents(1))
        bench.panel.stop()
        #expect(
            bench.events == [.gesture(button: "talk", .holdStarted), .gesture(button: "talk", .holdEnded)])
        #expect(!bench.lines.isTaken("talk"))
    }

    @Test func aFullQueueOfEdgesIsMadeGood() async throws {
        let bench = PanelBench(PanelSettings(buttons: [PanelBench.button("talk", [.hold: .talk])]))
        try bench.panel.start()
        #expect(await bench.waits { $0.lines.isTaken("talk") })
        for step in 0..<1_001 { bench.lines.set("talk", isActive: step % 2 == 0) }
        #expect(await bench.waitsForEvents(1))
        #expect(bench.events == [.gesture(button: "talk", .holdStarted)])
        bench.panel.stop()
    }

    @Test func aBusyLineIsAFaultOfItsOwnAndIsTriedAgain() async throws {
        let bench = PanelBench(
            PanelSettings(
                buttons: [PanelBench.button("call", [.press: .call])],
                leds: [PanelBench.led("LED", [LightRule(.power)])],
                relays: [PanelBench.relay("door", pulse: 100, maximum: 1_000)]))
        bench.lines.setTaken("call", true)
        bench.lines.setTaken("door", true)
        try bench.panel.start()
        bench.panel.show([.power])
        #expect(await bench.waits { $0.events.count == 2 && $0.lines.isActive("LED") })
        let text = "'simulated call' is in use by another button, LED or relay"
        #expect(bench.events.contains(.lineFault(name: "call", text: text)))
        #expect(bench.panel.snapshot[0].fault == text)
        #expect(bench.panel.snapshot[0].consumer == "another button, LED or relay")
        let refusal = bench.panel.openRelay("door", for: nil)
        #expect(refusal?.description.contains("is in use by") == true)
        bench.lines.setTaken("call", false)
        bench.lines.setTaken("door", false)
        #expect(await bench.waits { $0.events.count == 4 })
        #expect(bench.events.suffix(2).contains(.lineRecovered(name: "call")))
        #expect(bench.panel.snapshot.allSatisfy { $0.fault == nil })
        #expect(bench.panel.openRelay("door", for: nil) == nil)
        bench.panel.stop()
    }

    @Test func whatCannotBeDoneIsRefusedInWords() throws {
        let real = ButtonSettings(
            name: "real", source: .line(LineInputSettings(LineAddress(chip: "no-such-chip", line: "1"))),
            bindings: ButtonBindings([.press: .call]))
        let relays = ["a", "b"].map { PanelBench.relay($0, pulse: 100, maximum: 100) }
        let bench = PanelBench(PanelSettings(buttons: [real], relays: relays))
        #expect(bench.panel.openRelay("a", for: nil) == .notRunning)
        #expect(bench.panel.openRelay(nil, for: nil) == .severalRelays(["a", "b"]))
        #expect(bench.panel.openRelay("c", for: nil) == .unknownRelay("c"))
        #expect(bench.panel.setSimulatedLine("real", active: true) == .notSimulated("real"))
        #expect(bench.panel.setSimulatedLine("unreal", active: true) == .unknownButton("unreal"))
        #expect(PanelBench(PanelSettings()).panel.openRelay(nil, for: nil) == .noRelay)
    }

    @Test func aPanelStartsAndStopsAgainAndAgain() async throws {
        let bench = PanelBench(
            PanelSettings(
                buttons: [PanelBench.button("call", [.press: .call])],
                leds: [PanelBench.led("LED", [LightRule(.power)])]))
        bench.panel.show([.power])
        for _ in 0..<20 {
            try bench.panel.start()
            try bench.panel.start()
            #expect(await bench.waits { $0.lines.isActive("LED") })
            bench.panel.stop()
            bench.panel.stop()
            #expect(!bench.lines.isActive("LED") && !bench.lines.isTaken("LED") && !bench.lines.isTaken("call"))
        }
    }
}
