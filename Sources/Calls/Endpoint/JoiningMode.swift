/// When this endpoint publishes in its room (product.md, "calls").
package enum JoiningMode: String, Sendable, Hashable, CaseIterable {
    /// Always, from joining on.
    case auto
    /// While a call is up; microphone and camera are closed otherwise.
    case onCall = "on-call"
    /// Audience until a host accepts a request to speak.
    case listen
}
