import Calls
import MediaTypes

/// The keys of buttons, LEDs and relays.
extension ConfigurationSchema {
    static let gpio = SchemaSection<Configuration.GPIO>([
        .optional("chip", .chip, \.chip, "The chip of all lines; without it any chip that has the line.")
    ])

    static let button = SchemaSection<Configuration.Button>(
        [
            .required("name", .identifier, \.name, "The button's name in logs, status and `callbox ctl line`."),
            .optional("line", .line, \.line, "The GPIO line that the button is wired to."),
            .optional("chip", .chip, \.chip, "The line's chip; by default gpio.chip."),
            .value("active-low", .boolean, \.isActiveLow, "The button connects the line to ground."),
            .value(
                "bias", .choice(Configuration.Button.Bias.self), \.bias,
                "The resistor in the chip; an active-low button without one on the board needs pull-up."),
            .optional("device", .device, \.device, "The input device whose key is the button."),
            .optional("key", .key, \.key, "The key of the device."),
            .value("grab", .boolean, \.isGrabbed, "Keep the device's keys from everybody else, as from a console."),
            .value("debounce-ms", .integer(0...500), \.debounceMilliseconds, "How long a level must last to count."),
            .value("long-press-ms", .integer(200...10_000), \.longPressMilliseconds, "How long a long press lasts."),
            .value(
                "double-press-ms", .integer(100...2_000), \.doublePressMilliseconds,
                "The time between the two parts of a double press, at most."),
            .value(
                "stuck-after-s", .integer(5...3_600), \.stuckAfterSeconds,
                "When a pressed button is taken to be stuck; also the longest time to talk."),
        ] + bindings,
        check: checkButton)

    private static let states: [(state: CallState, word: String)] = [
        (.idle, "idle"), (.calling, "calling"), (.ringing, "ringing"), (.inCall, "in-call"),
    ]

    private static let bindings: [SchemaKey<Configuration.Button>] = ButtonTrigger.allCases.flatMap { trigger in
        let way: String =
            switch trigger {
            case .press: "A press"
            case .longPress: "A long press"
            case .doublePress: "A double press"
            case .hold: "While it is held, the button"
            }
        let always: SchemaKey<Configuration.Button> = .optional(
            trigger.rawValue, .action(trigger), \.bindings[trigger, in: nil], "\(way) does this.")
        return [always]
            + states.map { state, word in
                .optional(
                    "\(trigger.rawValue)-when-\(word)", .action(trigger), \.bindings[trigger, in: state],
                    "\(way) does this instead while \(description(of: state)).")
            }
    }

    private static func description(of state: CallState) -> String {
        switch state {
        case .idle: "there is no call"
        case .calling: "this side calls"
        case .ringing: "the other side calls"
        case .inCall: "both sides talk"
        }
    }

    private static let checkButton: @Sendable (Configuration.Button, GivenKeys, inout ProblemList) -> Void = {
        button, given, problems in
        given.need("name", allowed: "a name for each button", &problems)
        if !given.has("line"), !given.has("key"), !given.has("device") {
            given.report("line", "neither line nor key is given", allowed: "line, or device and key", &problems)
        }
        given.exclude("line", "key", &problems)
        if !given.has("line") {
            given.require("device", with: "key", &problems)
            given.require("key", with: "device", &problems)
            for name in ["chip", "active-low", "bias"] { given.require("line", with: name, &problems) }
        }
        if given.has("line") { given.require("key", with: "grab", &problems) }
        checkActions(button, given, &problems)
        guard given.isUsable("long-press-ms"), given.isUsable("stuck-after-s"), given.isUsable("debounce-ms") else {
            return
        }
        if button.longPressMilliseconds >= button.stuckAfterSeconds * 1_000 {
            let name = given.has("long-press-ms") ? "long-press-ms" : "stuck-after-s"
            given.report(
                name, "a long press is as long as a stuck button", allowed: "long-press-ms below stuck-after-s",
                &problems)
        }
        if button.debounceMilliseconds >= button.longPressMilliseconds {
            given.report(
                given.has("debounce-ms") ? "debounce-ms" : "long-press-ms", "a long press would not settle",
                allowed: "debounce-ms below long-press-ms", &problems)
        }
    }

    /// A button that does nothing, or that would talk and do something else with the same press.
    private static func checkActions(
        _ button: Configuration.Button, _ given: GivenKeys, _ problems: inout ProblemList
    ) {
        let names = bindings.map(\.name)
        guard names.allSatisfy(given.isUsable) else { return }
        guard !button.bindings.triggers.isEmpty else {
            let name = names.first(where: given.has) ?? ButtonTrigger.press.rawValue
            given.report(
                name, "the button does nothing", allowed: "an action for press, long-press, double-press or hold",
                &problems)
            return
        }
        for (state, word) in states where acts(button, .hold, in: state) {
            for trigger in ButtonTrigger.allCases where trigger != .hold && acts(button, trigger, in: state) {
                let specific = "\(trigger.rawValue)-when-\(word)"
                given.report(
                    given.has(specific) ? specific : trigger.rawValue,
                    "the button is also held to talk \(state == .idle ? "when idle" : "when \(word)")",
                    allowed: "hold, or \(trigger.rawValue), or each in states of its own", &problems)
                return
            }
        }
    }

    private static func acts(_ button: Configuration.Button, _ trigger: ButtonTrigger, in state: CallState) -> Bool {
        switch button.bindings.binding(trigger, in: state) {
        case nil, .some(.none): false
        default: true
        }
    }

    static let led = SchemaSection<Configuration.LED>(
        [
            .required("name", .identifier, \.name, "The LED's name in logs and status."),
            .required("line", .line, \.line, "The GPIO line that the LED is wired to."),
            .optional("chip", .chip, \.chip, "The line's chip; by default gpio.chip."),
            .value("active-low", .boolean, \.isActiveLow, "The LED is lit by the low voltage."),
            .value("drive", .choice(Configuration.Drive.self), \.drive, "How the chip drives the line."),
            .sections(
                "shows", maximumCount: 9, ledRule, empty: Configuration.LED.Rule(), \.shows,
                "What it shows, the most important first: the first state that is so is shown."),
        ],
        check: { led, given, problems in
            given.need("name", allowed: "a name for each LED", &problems)
            given.need("line", allowed: "the line of the LED", &problems)
            guard given.isUsable("shows") else { return }
            guard !led.shows.isEmpty else {
                given.report("shows", "the LED shows nothing", allowed: "a list of states and patterns", &problems)
                return
            }
            for (index, rule) in led.shows.enumerated()
            where led.shows[..<index].contains(where: { $0.indicator == rule.indicator }) {
                problems.report(
                    given.position("shows", item: index, "state"), key: given.key("shows[\(index)].state"),
                    "\(rule.indicator.rawValue) is shown already", allowed: "each state once")
            }
        })

    private static let ledRule = SchemaSection<Configuration.LED.Rule>(
        [
            .required("state", .choice(Indicator.self), \.indicator, "The state of the endpoint that is shown."),
            .value("pattern", .choice(LightPattern.self), \.pattern, "How it is shown."),
        ],
        check: { _, given, problems in
            given.need("state", allowed: Indicator.allCases.map(\.rawValue).joined(separator: ", "), &problems)
        })

    static let relay = SchemaSection<Configuration.Relay>(
        [
            .required("name", .identifier, \.name, "The relay's name in logs, status and commands."),
            .required("line", .line, \.line, "The GPIO line that the relay is wired to."),
            .optional("chip", .chip, \.chip, "The line's chip; by default gpio.chip."),
            .value("active-low", .boolean, \.isActiveLow, "The relay is pulled by the low voltage."),
            .value(
                "drive", .choice(Configuration.Drive.self), \.drive,
                "How the chip drives the line; active-low relays are safest with open-drain."),
            .value("pulse-ms", .integer(50...600_000), \.pulseMilliseconds, "How long it is pulled, unless told."),
            .value(
                "maximum-ms", .integer(50...600_000), \.maximumMilliseconds,
                "The longest time that it is pulled, whatever anybody says."),
        ],
        check: { relay, given, problems in
            given.need("name", allowed: "a name for each relay", &problems)
            given.need("line", allowed: "the line of the relay", &problems)
            guard given.isUsable("pulse-ms"), given.isUsable("maximum-ms") else { return }
            if relay.pulseMilliseconds > relay.maximumMilliseconds {
                given.report(
                    given.has("pulse-ms") ? "pulse-ms" : "maximum-ms",
                    "the pulse of \(relay.pulseMilliseconds) ms is longer than the maximum of "
                        + "\(relay.maximumMilliseconds) ms",
                    allowed: "pulse-ms up to maximum-ms", &problems)
            }
        })
}
