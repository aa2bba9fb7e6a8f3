import Calls
import MediaTypes

extension Configuration {
    /// Where buttons, LEDs and relays are, when they do not say it themselves.
    package struct GPIO: Hashable, Sendable {
        /// A chip's label, name or path; `simulated`; nil: any chip that has the line.
        package var chip: String?

        package init() {}
    }

    /// A button on a GPIO line (`line`) or on an input device (`device` and `key`).
    package struct Button: Hashable, Sendable {
        /// What the chip connects to an input.
        package enum Bias: String, CaseIterable, Sendable {
            case asIs = "as-is"
            case disabled
            case pullUp = "pull-up"
            case pullDown = "pull-down"
        }

        package var name = ""
        package var chip: String?
        package var line: String?
        package var isActiveLow = false
        package var bias = Bias.asIs
        package var device: String?
        package var key: KeyCode?
        package var isGrabbed = false
        package var debounceMilliseconds = 30
        package var longPressMilliseconds = 800
        package var doublePressMilliseconds = 300
        package var stuckAfterSeconds = 60
        package var bindings = ButtonBindings()

        package init() {}
    }

    /// How an output makes its levels.
    package enum Drive: String, CaseIterable, Sendable {
        case pushPull = "push-pull"
        case openDrain = "open-drain"
        case openSource = "open-source"
    }

    /// An LED on a GPIO line.
    package struct LED: Hashable, Sendable {
        /// What it shows while an indicator is on.
        package struct Rule: Hashable, Sendable {
            package var indicator = Indicator.power
            package var pattern = LightPattern.on

            package init() {}
        }

        package var name = ""
        package var chip: String?
        package var line = ""
        package var isActiveLow = false
        package var drive = Drive.pushPull
        /// The most important first.
        package var shows: [Rule] = []

        package init() {}
    }

    /// A relay on a GPIO line.
    package struct Relay: Hashable, Sendable {
        package var name = ""
        package var chip: String?
        package var line = ""
        package var isActiveLow = false
        package var drive = Drive.pushPull
        package var pulseMilliseconds = 3_000
        package var maximumMilliseconds = 10_000

        package init() {}
    }
}
