/// Something about the endpoint that an LED can show; the raw value is the word of the configuration.
package enum Indicator: String, CaseIterable, Hashable, Sendable {
    /// The endpoint runs.
    case power
    /// The room is joined.
    case joined
    /// The own stream is published.
    case publishing
    /// A call waits for an answer, on either side.
    case ringing
    case inCall = "in-call"
    /// The microphone is off.
    case muted
    case cameraOff = "camera-off"
    /// The room is lost and being joined again.
    case reconnecting
    /// Something is wrong that a person should see to.
    case fault
}
