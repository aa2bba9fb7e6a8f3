import Calls

/// One button, LED or relay as it is now.
package struct LineStatus: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case button
        case led
        case relay
    }

    package var name: String
    package var kind: Kind
    /// Chip and line, or device and key.
    package var place: String
    package var isSimulated: Bool
    /// The button is down, the LED is lit, the relay is pulled.
    package var isActive = false
    package var isStuck = false
    /// What an LED shows, and how; nil while it shows nothing.
    package var rule: LightRule?
    /// Why it cannot be used now; nil while it can.
    package var fault: String?
    /// Who has the line, when that is the fault.
    package var consumer: String?
}
