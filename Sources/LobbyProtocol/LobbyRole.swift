/// What a participant is in a room for.
package enum LobbyRole: String, Sendable, CaseIterable {
    /// Publishes and plays.
    case host
    /// Only plays.
    case audience
}
