/// What the speaker sounds by itself, to tell a person how a call goes.
package enum Tone: UInt8, Sendable, CaseIterable {
    case none
    /// Somebody calls: a bell of two notes, every four seconds.
    case ring
    /// The called one's bell is ringing: 425 Hz, one second in five (ETSI TR 101 041-2, as most of Europe has it).
    case ringBack
    /// The call failed: 425 Hz, half a second in one, three times; then it ends by itself.
    case busy
    /// The call is over: two short notes; then it ends by itself.
    case ended
}
