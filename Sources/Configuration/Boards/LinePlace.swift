/// Where a line is that a configuration names: by its name or number, or as a pin of the board's header.
struct LinePlace: Hashable, Sendable {
    var line: String
    /// Nil: `gpio.chip`.
    var chip: String?

    /// The name of the pin in `pin 11`; nil for a line that is named otherwise.
    static func pinName(_ line: String) -> String? {
        line.hasPrefix("pin ") ? String(line.dropFirst("pin ".count)) : nil
    }

    /// Nil where the line is a pin that the board does not have. A chip that the configuration gives wins.
    init?(line: String, chip: String?, board: BoardProfile?) {
        guard let name = LinePlace.pinName(line) else {
            self.line = line
            self.chip = chip
            return
        }
        guard let pin = board?.pins.first(where: { $0.name == name }) else { return nil }
        self.line = pin.line
        self.chip = chip ?? pin.chip
    }
}

extension Configuration {
    /// Puts the header's lines where the configuration names its pins, all of which exist.
    mutating func replacePins() {
        for index in buttons.indices {
            guard let line = buttons[index].line else { continue }
            guard let place = LinePlace(line: line, chip: buttons[index].chip, board: board.profile) else { continue }
            (buttons[index].line, buttons[index].chip) = (place.line, place.chip)
        }
        for index in leds.indices {
            let led = leds[index]
            guard let place = LinePlace(line: led.line, chip: led.chip, board: board.profile) else { continue }
            (leds[index].line, leds[index].chip) = (place.line, place.chip)
        }
        for index in relays.indices {
            let relay = relays[index]
            guard let place = LinePlace(line: relay.line, chip: relay.chip, board: board.profile) else { continue }
            (relays[index].line, relays[index].chip) = (place.line, place.chip)
        }
    }
}
