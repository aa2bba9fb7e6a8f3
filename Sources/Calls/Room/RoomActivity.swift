/// What goes on behind a room state.
package enum RoomActivity: String, Sendable, Hashable {
    case nothing = ""
    /// An attempt to join is under way.
    case trying = "trying"
    /// The next attempt follows soon (`RetryPolicy`), and at once when the network comes up.
    case waitsShortly = "waits shortly"
    /// The next attempt follows after minutes: a quick one would meet the same refusal.
    case waitsLong = "waits long"
    case leaving = "leaving"
}
