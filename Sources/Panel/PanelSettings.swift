import Calls

/// The buttons, LEDs and relays of an endpoint; a name names one of them.
package struct PanelSettings: Hashable, Sendable {
    package var buttons: [ButtonSettings]
    package var leds: [LEDSettings]
    package var relays: [RelaySettings]

    package init(buttons: [ButtonSettings] = [], leds: [LEDSettings] = [], relays: [RelaySettings] = []) {
        self.buttons = buttons
        self.leds = leds
        self.relays = relays
    }

    /// Nothing is wired: no panel is needed.
    package var isEmpty: Bool { buttons.isEmpty && leds.isEmpty && relays.isEmpty }

    /// What a gesture of a button asks for in a state of the call; nil: nothing.
    package func action(for gesture: ButtonGesture, of button: String, in state: CallState) -> ButtonAction? {
        buttons.first { $0.name == button }?.bindings.action(for: gesture, in: state)
    }
}
