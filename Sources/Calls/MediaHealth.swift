/// How the media of one far side does.
package enum MediaHealth: String, Sendable, Hashable, CaseIterable {
    case normal
    /// Much is lost, or what is sent seems not to arrive.
    case unstable
    /// Nothing comes.
    case noData
}
