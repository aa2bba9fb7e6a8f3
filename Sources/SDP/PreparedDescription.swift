/// A description of ours that was created and not set yet.
struct PreparedDescription: Sendable {
    var description: SessionDescription
    var text: String
    /// The places that setting it gives to lines without one, by transceiver index.
    var places: [Int: Transceiver.Place] = [:]
    /// Whether it carries the restart credentials.
    var restartsICE = false
}
