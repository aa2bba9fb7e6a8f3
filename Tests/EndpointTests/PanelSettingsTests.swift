import Calls
import Configuration
import Devices
import MediaTypes
import Panel
import Testing

@testable import Endpoint

@Suite struct PanelSettingsTests {
    private func settings(_ text: String) throws -> PanelSettings {
        PanelSettings(try Configuration.parse(Array(text.utf8), file: "callbox.yaml"))
    }

    @Test func buttonsLEDsAndRelaysComeWithTheirLinesAndTimes() throws {
        let panel = try settings(
            """
            gpio: {chip: simulated}
            buttons:
              - {name: call, line: BTN, active-low: true, bias: pull-up, debounce-ms: 10, press: intercom}
              - {name: pad, device: keypad, key: KEY_1, grab: true, long-press: mute, long-press-ms: 500, stuck-after-s: 9}
            leds: [{name: led, line: LED, chip: other, drive: open-source, shows: [{state: fault, pattern: pulse}]}]
            relays: [{name: door, line: "7", active-low: true, drive: open-drain, pulse-ms: 500, maximum-ms: 900}]
            """)
        guard case .line(let line) = panel.buttons[0].source else {
            Issue.record("the button has a line")
            return
        }
        #expect(line.address == LineAddress(chip: "simulated", line: "BTN") && line.isActiveLow && line.bias == .pullUp)
        #expect(panel.buttons[0].timing.debounce == .milliseconds(10))
        #expect(panel.action(for: .shortPress, of: "call", in: .inCall) == .hangUp)
        let key = try #require(KeyCode("KEY_1"))
        #expect(panel.buttons[1].source == .key(key, device: "keypad", isGrabbed: true))
        #expect(panel.buttons[1].timing.longPress == .milliseconds(500) && panel.buttons[1].timing.stuck == .seconds(9))
        #expect(panel.leds[0].line.address == LineAddress(chip: "other", line: "LED"))
        #expect(panel.leds[0].line.drive == .openSource && panel.leds[0].shows.rules == [LightRule(.fault, .pulse)])
        #expect(panel.relays[0].line.drive == .openDrain && panel.relays[0].line.isActiveLow)
        #expect(panel.relays[0].timing.pulse == .milliseconds(500))
        #expect(panel.relays[0].timing.maximum == .milliseconds(900))
    }

    @Test func withoutAnyThereIsNoPanel() throws {
        #expect(try settings("").isEmpty)
    }
}
