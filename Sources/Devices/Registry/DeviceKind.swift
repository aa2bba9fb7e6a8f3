/// What a device does for the endpoint.
package enum DeviceKind: String, Sendable, CaseIterable {
    case microphone
    case speaker
    case camera
    case display
}
