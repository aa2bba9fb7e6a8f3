/// Where this endpoint stands with its room, in the words that logs, status and LEDs use.
package enum RoomState: String, Sendable, Hashable, CaseIterable {
    case loggedOut
    case loggingIn
    case loggedIn
    /// The first join did not succeed; it is retried by `RetryPolicy`.
    case loginFailed
    /// The room was joined and is lost; media of connections that still work goes on.
    case reconnecting
    case reconnected
    /// Reconnecting met a reason that a quick retry cannot cure.
    case reconnectFailed
    case kickedOut
    case logoutFailed

    /// In these states the room is joined: streams may be published and played.
    package var isJoined: Bool { self == .loggedIn || self == .reconnected }
}
