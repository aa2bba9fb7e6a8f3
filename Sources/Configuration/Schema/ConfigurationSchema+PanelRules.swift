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
        guard ["board", "gpio", "buttons", "leds", "relays"].allSatisfy(given.isUsable) else { return }
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
                if let pin = LinePlace.pinName(line) {
                    // A board whose profile cannot be read is blamed for that already.
                    if configuration.board.name != nil, configuration.board.profile == nil { continue }
                    let (reason, allowed) = missingPin(pin, configuration.board.profile)
                    report("line", reason, allowed)
                } else if let other = before.first(where: { $0.line == line && $0.chip == item.chip }) {
                    report("line", "\(quoted(line)) belongs to \(other.name)", "a line for each")
                } else if item.chip == nil, Int(line) != nil {
                    report("line", "a number needs its chip", "a name, or a number with chip or gpio.chip")
                }
            }
            if let key = item.key, let other = before.first(where: { $0.key == key }) {
                report("key", "the key belongs to \(other.name)", "a key for each")
            }
        }
    }

    /// What is wrong with a pin that is no line, and what there is.
    private static func missingPin(_ name: String, _ board: BoardProfile?) -> (reason: String, allowed: String) {
        guard let board else { return ("\(quoted(name)) is a pin of no board", "a line's name, or a pin with board") }
        guard !board.pins.isEmpty else { return ("\(quoted(board.title)) has no header", "a line's name") }
        let names = board.pins.map(\.name).joined(separator: ", ")
        return ("pin \(quoted(name)) of \(quoted(board.title)) is no line", "pin \(names)")
    }

    /// The items with their lines; a pin that the board has is the line behind it.
    private static func panelItems(_ configuration: Configuration) -> [Item] {
        var items: [Item] = []
        func add(_ list: String, _ index: Int, _ name: String, _ line: String?, _ chip: String?, _ key: String?) {
            let place = line.flatMap { LinePlace(line: $0, chip: chip, board: configuration.board.profile) }
            items.append(
                Item(
                    list: list, index: index, name: name, chip: place?.chip ?? chip ?? configuration.gpio.chip,
                    line: place?.line ?? line, key: key))
        }
        for (index, button) in configuration.buttons.enumerated() {
            let key: String? =
                if let device = button.device, let key = button.key { "\(device) \(key.name)" } else { nil }
            add("buttons", index, button.name, button.line, button.chip, key)
        }
        for (index, led) in configuration.leds.enumerated() { add("leds", index, led.name, led.line, led.chip, nil) }
        for (index, relay) in configuration.relays.enumerated() {
            add("relays", index, relay.name, relay.line, relay.chip, nil)
        }
        return items
    }
}
