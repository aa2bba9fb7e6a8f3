/// The one table of every key of a board profile.
package enum BoardSchema {
    /// What documents say of every key, in the order of the table.
    package static var rows: [SchemaRow] { root.rows("", BoardProfile()) }

    static let root = SchemaSection<BoardProfile>(
        [
            .required("title", .displayName, \.title, "The board's name for people."),
            .section("gpio", ConfigurationSchema.gpio, \.gpio, "Where the lines are that do not say it themselves."),
            .named("header-pins", maximumCount: 64, .pinName, pin, \.pins, "The pins of the header that are lines."),
            .section("wiring", wiring, \.givenWiring, "The pins of an intercom of two buttons and three LEDs."),
            .section("camera", choice, \.camera, "The camera to start from."),
            .section("microphone", choice, \.microphone, "The microphone to start from."),
            .section("speaker", choice, \.speaker, "The speaker to start from."),
            .section("display", choice, \.display, "The display to start from."),
            .list("quirks", quirk, count: 0...16, \.quirks, "What a person should know; `callbox check` says it."),
        ],
        check: { profile, given, problems in
            given.need("title", allowed: "the board's name", &problems)
            checkPins(profile, given, &problems)
        })

    private static let pin = SchemaSection<BoardProfile.Pin>(
        [
            .required("line", .line, \.line, "The line's name, or its number on its chip."),
            .optional("chip", .chip, \.chip, "The line's chip; by default gpio.chip."),
        ],
        check: { _, given, problems in given.need("line", allowed: "the line of the pin", &problems) })

    private static let choice = SchemaSection<BoardProfile.Choice>([
        .optional("device", .device, \.device, "Unless the configuration names another one.")
    ])

    private static let wiring = SchemaSection<BoardProfile.Wiring>(
        [
            .required("call-button", .pinName, \.callButton, "The pin of the button that calls, answers and hangs up."),
            .required("mute-button", .pinName, \.muteButton, "The pin of the button that mutes."),
            .required("status-led", .pinName, \.statusLED, "The pin of the LED that shows the state of the room."),
            .required("ring-led", .pinName, \.ringLED, "The pin of the LED that shows a call."),
            .required("mute-led", .pinName, \.muteLED, "The pin of the LED that shows a muted microphone."),
            .value("pull-up", .choice(BoardProfile.Wiring.PullUp.self), \.pullUp, "What pulls a button's line up."),
        ],
        check: { _, given, problems in
            for name in wiringNames { given.need(name, allowed: "a pin of header-pins", &problems) }
        })

    private static let wiringNames = ["call-button", "mute-button", "status-led", "ring-led", "mute-led"]

    private static let quirk = SchemaValue.text("a text of 1 to 500 characters") { text in
        (1...500).contains(text.count) && text.utf8.count <= 2_000 && !hasControlCharacters(text)
    }

    private static func checkPins(_ profile: BoardProfile, _ given: GivenKeys, _ problems: inout ProblemList) {
        guard ["gpio", "header-pins", "wiring"].allSatisfy(given.isUsable) else { return }
        for (index, pin) in profile.pins.enumerated() {
            let chip = pin.chip ?? profile.gpio.chip
            let key = given.key("header-pins.\(pin.name)")
            let position = given.position("header-pins", entry: pin.name)
            let before = profile.pins[..<index]
            if let other = before.first(where: { $0.line == pin.line && ($0.chip ?? profile.gpio.chip) == chip }) {
                problems.report(
                    position, key: key, "\(quoted(pin.line)) is the line of pin \(other.name)",
                    allowed: "a line for each")
            }
            if chip == nil, Int(pin.line) != nil {
                problems.report(
                    position, key: key, "a number needs its chip", allowed: "a name, or a number with its chip")
            }
        }
        guard let wiring = profile.wiring else { return }
        var used: [String] = []
        for (name, pin) in zip(wiringNames, wiring.pins) {
            let position = given.position("wiring", entry: name)
            if !profile.pins.contains(where: { $0.name == pin }) {
                problems.report(
                    position, key: given.key("wiring.\(name)"), "\(quoted(pin)) is no pin of header-pins",
                    allowed: "a pin of header-pins")
            } else if used.contains(pin) {
                problems.report(
                    position, key: given.key("wiring.\(name)"), "\(quoted(pin)) is used twice",
                    allowed: "a pin for each")
            }
            used.append(pin)
        }
    }
}

extension BoardProfile {
    /// For the schema, which fills a group in place.
    fileprivate var givenWiring: Wiring {
        get { wiring ?? Wiring() }
        set { wiring = newValue }
    }
}

extension BoardProfile.Wiring {
    /// In the order of the keys.
    fileprivate var pins: [String] { [callButton, muteButton, statusLED, ringLED, muteLED] }
}
