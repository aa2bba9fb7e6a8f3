/// What a device does for the endpoint.
package enum DeviceKind: String, Sendable, CaseIterable {
    case microphone
    case speaker
    case camera
    case display
    /// A GPIO chip with lines for buttons, LEDs and relays.
    case gpio
    /// An input device with keys that can be buttons.
    case keys
}
