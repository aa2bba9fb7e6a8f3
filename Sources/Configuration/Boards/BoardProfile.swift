/// What is known of one kind of board: where its header's lines are, which devices to start from, what is odd about it.
///
/// A configuration includes one by name; what the configuration says itself wins.
package struct BoardProfile: Hashable, Sendable {
    /// A pin of the header that is a GPIO line.
    package struct Pin: Hashable, Sendable {
        /// What stands beside the pin, as in `11` or `INT`.
        package var name = ""
        /// The line's name, or its number on `chip`.
        package var line = ""
        /// The line's chip; nil: `gpio.chip`.
        package var chip: String?

        package init() {}
    }

    /// A device to use unless the configuration names another one.
    package struct Choice: Hashable, Sendable {
        package var device: String?

        package init() {}
    }

    /// The pins of an intercom with two buttons and three LEDs, as the wiring picture shows them.
    package struct Wiring: Hashable, Sendable {
        /// What pulls the line of an open button up.
        package enum PullUp: String, CaseIterable, Sendable {
            /// The chip itself: `bias: pull-up`.
            case chip
            /// A resistor beside each button, for a chip that has none: `bias: as-is`.
            case resistor
        }

        package var callButton = ""
        package var muteButton = ""
        package var statusLED = ""
        package var ringLED = ""
        package var muteLED = ""
        package var pullUp = PullUp.chip

        package init() {}
    }

    /// The board's name for people.
    package var title = ""
    package var gpio = Configuration.GPIO()
    package var pins: [Pin] = []
    /// Nil where the board has no header of its own.
    package var wiring: Wiring?
    package var camera = Choice()
    package var microphone = Choice()
    package var speaker = Choice()
    package var display = Choice()
    /// What a person should know, one matter a text.
    package var quirks: [String] = []
    /// The file that it stands in.
    package var file = ""

    package init() {}

    /// The configuration of somebody who only names this board.
    func apply(to configuration: inout Configuration) {
        configuration.gpio = gpio
        if let device = camera.device { configuration.camera.devices = [device] }
        if let device = microphone.device { configuration.microphone.device = device }
        if let device = speaker.device { configuration.speaker.device = device }
        if let device = display.device { configuration.display.device = device }
    }
}
