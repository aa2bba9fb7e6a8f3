/// What hardware and network are to do now: a pure consequence of the endpoint's state.
///
/// The owner of the hardware compares it with what it did last and changes the difference, so that no order can be lost
/// between two states.
package struct EndpointPlan: Sendable, Hashable {
    /// The own stream is announced in the room.
    package var publishes = false
    package var role = Participant.Role.host
    /// Closed: no descriptor is open.
    package var isMicrophoneOpen = false
    package var isMuted = false
    package var isCameraOn = false
    package var isCameraOff = false
    /// Who gets the own stream.
    package var sendTo = MediaPeers.nobody
    /// Whose streams are heard and seen.
    package var playFrom = MediaPeers.nobody
    package var tone = CallTone.none
    /// Loudness of what others say, 0 … 100.
    package var volumePercent = 100
    package var indicators: Set<Indicator> = []

    package init() {}
}
