/// What a button does when it is used; the raw value is the word of the configuration.
package enum ButtonAction: String, CaseIterable, Hashable, Sendable {
    /// Turns the microphone off, or on again.
    case mute
    /// Turns the camera off, or on again.
    case camera
    case switchCamera = "switch-camera"
    case call
    case answer
    case decline
    case hangUp = "hang-up"
    /// The microphone is on while the button is held.
    case talk
    case requestToSpeak = "request-to-speak"
    case volumeUp = "volume-up"
    case volumeDown = "volume-down"
    /// The one button of an intercom: calls, answers or hangs up, as the state of the call asks for.
    case intercom
    /// Nothing: takes an action away in one state of the call.
    case none

    /// The action that is meant in a state of the call: `intercom` becomes one of call, answer and hang-up; `none` is nil.
    package func resolved(in state: CallState) -> ButtonAction? {
        switch (self, state) {
        case (.none, _): nil
        case (.intercom, .idle): .call
        case (.intercom, .ringing): .answer
        case (.intercom, .calling), (.intercom, .inCall): .hangUp
        default: self
        }
    }
}
