import Calls
import MediaTypes

/// The rules between buttons, LEDs and relays: a name, a line and a key belong to one of them.
extension ConfigurationSchema {
    private struct Item {
        var list: String
        var index: Int
        var name: String
        var chip: String?
        var line: String?
        /// Device and key.
        var key: String?
    }

    static let checkPanel: @Sendable (Configuration, GivenKeys, inout ProblemList) -> Void = {
        configuration, given, problems in
        // What was not read well would be blamed twice.
        guard ["gpio", "buttons", "leds", "relays"].allSatisfy(given.isUsable) else { return }
        let items = panelItems(configuration)
        for (index, item) in items.enumerated() {
            let before = items[..<index]
            func report(_ key: String, _ reason: String, _ allowed: String) {
                problems.report(
                    given.position(item.list, item: item.index, key), key: "\(item.list)[\(item.index)].\(key)", reason,
                    allowed: allowed)
            }
            if before.contains(where: { $0.name == item.name }) {
                report("name", "\(quoted(item.name)) is the name of another one", "a name for each")
            }
            if let line = item.line {
                if let other = before.first(where: { $0.line == line && $0.chip == item.chip }) {
                    report("line", "\(quoted(line)) belongs to \(other.name)", "a line for each")
                }
                if item.chip == nil, Int(line) != nil {
                    report("line", "a number needs its chip", "a name, or a number with chip or gpio.chip")
                }
            }
            if let key = item.key, let other = before.first(where: { $0.key == key }) {
                report("key", "the key belongs to \(other.name)", "a key for each")
            }
        }
    }

    private static func panelItems(_ configuration: Configuration) -> [Item] {
        let chip = configuration.gpio.chip
        let buttons = configuration.buttons.enumerated().map { index, button in
            let key: String? =
                if let device = button.device, let key = button.key { "\(device) \(key.name)" } else { nil }
            return Item(
                list: "buttons", index: index, name: button.name, chip: button.chip ?? chip, line: button.line, key: key
            )
        }
        let leds = configuration.leds.enumerated().map { index, led in
            Item(list: "leds", index: index, name: led.name, chip: led.chip ?? chip, line: led.line)
        }
        let relays = configuration.relays.enumerated().map { index, relay in
            Item(list: "relays", index: index, name: relay.name, chip: relay.chip ?? chip, line: relay.line)
        }
        return buttons + leds + relays
    }
}
