import Calls
import MediaTypes

extension SchemaValue where Value == ButtonAction {
    /// What a button may do when it is used this way: to talk it is held, everything else is done once.
    static func action(_ trigger: ButtonTrigger) -> SchemaValue {
        let actions: [ButtonAction] = trigger == .hold ? [.talk, .none] : ButtonAction.allCases.filter { $0 != .talk }
        let words = actions.map(\.rawValue)
        let allowed = words.joined(separator: ", ")
        return SchemaValue(
            allowed: allowed,
            read: { node, place, problems in
                guard let text = anyText(node, place, allowed, &problems) else { return nil }
                if let action = ButtonAction(rawValue: text) {
                    if actions.contains(action) { return action }
                    let reason = trigger == .hold ? "is done once, not while the button is held" : "needs hold"
                    problems.report(node.position, key: place.key, "\(quoted(text)) \(reason)", allowed: allowed)
                    return nil
                }
                problems.report(
                    node.position, key: place.key, "\(quoted(text)) is not known", allowed: allowed,
                    suggestion: NearestWord.find(text, in: words))
                return nil
            },
            spell: { $0.rawValue })
    }
}

extension SchemaValue where Value == KeyCode {
    /// A key of an input device.
    static let key = SchemaValue(
        allowed: "a key as `callbox devices` lists them, as in KEY_ENTER",
        read: { node, place, problems in
            let allowed = "a key as `callbox devices` lists them, as in KEY_ENTER"
            guard let text = anyText(node, place, allowed, &problems) else { return nil }
            guard let key = KeyCode(text) else {
                problems.report(
                    node.position, key: place.key, "\(quoted(text)) is no key", allowed: allowed,
                    suggestion: NearestWord.find(text, in: KeyCode.allNames))
                return nil
            }
            return key
        },
        spell: { $0.name })
}

extension SchemaValue where Value == String {
    /// A GPIO line; whether it exists is for the board to say.
    static let line = text(
        "a line's name or number as `callbox devices` lists them, or `pin N` of the board's header"
    ) { text in
        (1...63).contains(text.utf8.count) && !hasControlCharacters(text)
    }

    /// What stands beside a pin of a header.
    static let pinName = text("a pin's number or name: 1 to 16 letters and digits") { text in
        (1...16).contains(text.utf8.count) && text.utf8.allSatisfy(isLetterOrDigit)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }

    /// The name of a board profile; whether there is one is for the folder of profiles to say.
    static let board = text("the name of a board profile: small letters, digits and hyphens") { text in
        BoardFolder.isName(text)
    }

    /// A GPIO chip; whether it exists is for the board to say.
    static let chip = text("a chip's label, name or path as `callbox devices` lists them, or simulated") { text in
        (1...255).contains(text.utf8.count) && !hasControlCharacters(text)
    }
}
