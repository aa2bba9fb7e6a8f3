import Calls
import MediaTypes
import Testing

@testable import Configuration

@Suite struct PanelTests {
    @Test func theExampleHasButtonsLEDsAndARelay() throws {
        let folder = String(#filePath.dropLast("/Tests/ConfigurationTests/PanelTests.swift".count))
        let example = try Configuration.load("\(folder)/Board/example.yaml")
        #expect(example.gpio.chip == "pinctrl-bcm2711")
        #expect(example.buttons.map(\.name) == ["call", "talk", "mute", "louder"])
        let call = example.buttons[0]
        #expect(
            call.line == "GPIO17" && call.isActiveLow && call.bias == .pullUp && call.longPressMilliseconds == 1_000)
        #expect(call.bindings.action(for: .shortPress, in: .idle) == .call)
        #expect(call.bindings.action(for: .longPress, in: .ringing) == .decline)
        #expect(call.bindings.triggers == [.press, .longPress])
        #expect(example.buttons[3].key == KeyCode("KEY_KPPLUS") && example.buttons[3].isGrabbed)
        #expect(example.leds[0].shows.map(\.indicator) == [.fault, .reconnecting, .inCall, .joined])
        #expect(example.leds[0].shows.map(\.pattern) == [.fastBlink, .blink, .on, .pulse])
        #expect(example.leds[1].shows.map(\.pattern) == [.blink, .on])
        #expect(example.relays[0].drive == .openDrain && example.relays[0].pulseMilliseconds == 3_000)
    }

    @Test func aButtonMayDoOtherThingsInEachState() {
        let read = configuration(
            """
            buttons:
              - name: a
                line: BTN_A
                press: call
                press-when-ringing: answer
                press-when-in-call: none
                hold-when-in-call: talk
                double-press-when-idle: mute
            """)
        let bindings = read.buttons[0].bindings
        #expect(CallState.allCases.map { bindings.action(for: .shortPress, in: $0) } == [.call, .call, .answer, nil])
        #expect(bindings.action(for: .holdStarted, in: .inCall) == .talk)
        #expect(bindings.action(for: .holdStarted, in: .idle) == nil)
        #expect(bindings.action(for: .doublePress, in: .idle) == .mute)
        #expect(bindings.triggers == [.press, .hold, .doublePress])
    }

    /// YAML 1.1 would make a truth value of it.
    @Test func onAndOffNeedNoQuotes() {
        let read = configuration(
            "leds: [{name: a, line: A, shows: [{state: muted, pattern: off}, {state: power, pattern: on}]}]")
        #expect(read.leds[0].shows.map(\.pattern) == [.off, .on])
    }

    @Test func sameLinesOfOtherChipsAreOtherLines() {
        let text = """
            gpio: {chip: a}
            buttons:
              - {name: one, line: 3, press: call}
              - {name: two, line: 3, chip: b, press: call}
              - {name: three, device: pad, key: 1, press: call}
              - {name: four, device: pod, key: 1, press: call}
            """
        #expect(problems(text).isEmpty)
    }

    static let wrong: [(String, String)] = [
        (
            "buttons: [{name: a, line: A, press: anser}]",
            "1:37: buttons[0].press: “anser” is not known; allowed: mute, camera, switch-camera, call, answer, decline, "
                + "hang-up, request-to-speak, volume-up, volume-down, intercom, none (did you mean answer?)"
        ),
        (
            "buttons: [{name: a, line: A, press: talk}]",
            "1:37: buttons[0].press: “talk” needs hold; allowed: mute, camera, switch-camera, call, answer, decline, "
                + "hang-up, request-to-speak, volume-up, volume-down, intercom, none"
        ),
        (
            "buttons: [{name: a, line: A, hold: call}]",
            "1:36: buttons[0].hold: “call” is done once, not while the button is held; allowed: talk, none"
        ),
        (
            "buttons: [{name: a, press: call}]",
            "1:11: buttons[0].line: neither line nor key is given; allowed: line, or device and key"
        ),
        (
            "buttons: [{line: A, press: call}]",
            "1:11: buttons[0].name: the key is missing; allowed: a name for each button"
        ),
        (
            "buttons: [{name: a, line: A, device: pad, key: KEY_A, press: call}]",
            "1:43: buttons[0].key: line is given too; allowed: one of line and key"
        ),
        (
            "buttons: [{name: a, key: KEY_A, press: call}]",
            "1:21: buttons[0].key: device is missing; allowed: key and device together"
        ),
        (
            "buttons: [{name: a, device: pad, press: call}]",
            "1:21: buttons[0].device: key is missing; allowed: device and key together"
        ),
        (
            "buttons: [{name: a, device: pad, key: KEY_A, active-low: true, press: call}]",
            "1:46: buttons[0].active-low: line is missing; allowed: active-low and line together"
        ),
        (
            "buttons: [{name: a, line: A, grab: true, press: call}]",
            "1:30: buttons[0].grab: key is missing; allowed: grab and key together"
        ),
        (
            "buttons: [{name: a, device: pad, key: KEY_ENTRE, press: call}]",
            "1:39: buttons[0].key: “KEY_ENTRE” is no key; allowed: a key as `callbox devices` lists them, "
                + "as in KEY_ENTER (did you mean KEY_ENTER?)"
        ),
        (
            "buttons: [{name: a, line: A}]",
            "1:11: buttons[0].press: the button does nothing; "
                + "allowed: an action for press, long-press, double-press or hold"
        ),
        (
            "buttons: [{name: a, line: A, press: none}]",
            "1:30: buttons[0].press: the button does nothing; "
                + "allowed: an action for press, long-press, double-press or hold"
        ),
        (
            "buttons: [{name: a, line: A, hold: talk, press: call}]",
            "1:42: buttons[0].press: the button is also held to talk when idle; "
                + "allowed: hold, or press, or each in states of its own"
        ),
        (
            "buttons: [{name: a, line: A, hold: talk, long-press-when-ringing: answer}]",
            "1:42: buttons[0].long-press-when-ringing: the button is also held to talk when ringing; "
                + "allowed: hold, or long-press, or each in states of its own"
        ),
        (
            "buttons: [{name: a, line: A, press: call, long-press-ms: 9000, stuck-after-s: 5}]",
            "1:43: buttons[0].long-press-ms: a long press is as long as a stuck button; "
                + "allowed: long-press-ms below stuck-after-s"
        ),
        (
            "buttons: [{name: a, line: A, press: call, debounce-ms: 300, long-press-ms: 200}]",
            "1:43: buttons[0].debounce-ms: a long press would not settle; allowed: debounce-ms below long-press-ms"
        ),
        (
            "buttons: [{name: a, line: A, hold: talk, pres: call}]",
            "1:42: buttons[0].pres: unknown key; allowed: name, line, chip, active-low, bias, device, key, grab, "
                + "debounce-ms, long-press-ms, double-press-ms, stuck-after-s, press, press-when-idle, "
                + "press-when-calling, press-when-ringing, press-when-in-call, long-press, long-press-when-idle, "
                + "long-press-when-calling, long-press-when-ringing, long-press-when-in-call, double-press, "
                + "double-press-when-idle, double-press-when-calling, double-press-when-ringing, "
                + "double-press-when-in-call, hold, hold-when-idle, hold-when-calling, hold-when-ringing, "
                + "hold-when-in-call (did you mean press?)"
        ),
        (
            "leds: [{name: a, line: A}]",
            "1:8: leds[0].shows: the LED shows nothing; allowed: a list of states and patterns"
        ),
        (
            "leds: [{name: a, line: A, shows: [{pattern: blink}]}]",
            "1:35: leds[0].shows[0].state: the key is missing; "
                + "allowed: power, joined, publishing, ringing, in-call, muted, camera-off, reconnecting, fault"
        ),
        (
            "leds: [{name: a, line: A, shows: [{state: fault}, {state: fault, pattern: blink}]}]",
            "1:52: leds[0].shows[1].state: fault is shown already; allowed: each state once"
        ),
        (
            "leds: [{name: a, line: A, shows: [{state: mute}]}]",
            "1:43: leds[0].shows[0].state: “mute” is not known; allowed: power, joined, publishing, ringing, in-call, "
                + "muted, camera-off, reconnecting, fault (did you mean muted?)"
        ),
        (
            "relays: [{name: a, line: A, pulse-ms: 20000}]",
            "1:29: relays[0].pulse-ms: the pulse of 20000 ms is longer than the maximum of 10000 ms; "
                + "allowed: pulse-ms up to maximum-ms"
        ),
        // Between them.
        (
            "buttons: [{name: a, line: A, press: call}]\nrelays: [{name: a, line: B}]",
            "2:11: relays[0].name: “a” is the name of another one; allowed: a name for each"
        ),
        (
            "buttons: [{name: a, line: A, press: call}]\nrelays: [{name: b, line: A}]",
            "2:20: relays[0].line: “A” belongs to a; allowed: a line for each"
        ),
        (
            "gpio: {chip: c}\nrelays: [{name: a, line: 4}, {name: b, line: 4, chip: c}]",
            "2:40: relays[1].line: “4” belongs to a; allowed: a line for each"
        ),
        (
            "relays: [{name: a, line: 4}]",
            "1:20: relays[0].line: a number needs its chip; allowed: a name, or a number with chip or gpio.chip"
        ),
        (
            "buttons: [{name: a, device: p, key: KEY_1, press: call}, {name: b, device: p, key: '1', press: mute}]",
            "1:79: buttons[1].key: the key belongs to a; allowed: a key for each"
        ),
    ]

    @Test(arguments: wrong) func aProblemIsToldPlainly(text: String, expected: String) {
        #expect(problems(text) == ["callbox.yaml:\(expected)"])
    }
}
