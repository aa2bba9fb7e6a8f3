import Calls

/// What happens at the panel; names are those of the settings.
package enum PanelEvent: Hashable, Sendable {
    case gesture(button: String, ButtonGesture)
    /// The button has been down for too long: reported once. A hold has ended before.
    case stuck(button: String)
    /// A stuck button went up again.
    case released(button: String)
    /// A button, LED or relay cannot be used: reported once for each cause, while it is tried again.
    case lineFault(name: String, text: String)
    /// It can be used again.
    case lineRecovered(name: String)
}
