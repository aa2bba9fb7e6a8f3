/// What a person did with a button.
package enum ButtonGesture: String, CaseIterable, Hashable, Sendable {
    case shortPress
    /// Reported while the button is still down.
    case longPress
    /// Reported when the button goes down for the second time.
    case doublePress
    /// The button is down; `holdEnded` follows whatever happens.
    case holdStarted
    case holdEnded

    /// What the gesture is bound by in the configuration.
    package var trigger: ButtonTrigger {
        switch self {
        case .shortPress: .press
        case .longPress: .longPress
        case .doublePress: .doublePress
        case .holdStarted, .holdEnded: .hold
        }
    }
}
