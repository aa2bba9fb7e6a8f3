/// What is heard of a call before and after it is up.
package enum CallTone: String, Sendable, Hashable {
    case none
    /// Somebody calls.
    case ring
    /// The other side rings.
    case ringBack
    /// The call did not come about, or was cut off.
    case busy
    /// The call that was up is over.
    case ended
}
