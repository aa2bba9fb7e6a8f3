/// Why the room state changed: a class that decides what happens next, and words for a person.
package struct RoomReason: Sendable, Hashable {
    /// What a retry can do about it.
    package enum Class: String, Sendable, Hashable, CaseIterable {
        /// Nothing is wrong: asked for by this endpoint.
        case requested
        /// The network or the server: comes back by itself, retried soon.
        case transient
        /// The server's certificate is not valid yet, so this board's clock is wrong: retried like `transient`, and at
        /// once when the clock is set.
        case clockNotSet
        /// A refusal that the same request meets again: retried slowly.
        case incurable
        /// Removed from the room: retried slowly.
        case kicked
        /// Another device joined with this participant's id: retried after a minute or two, without taking its place.
        case joinedElsewhere

        /// Whether the next attempt may well succeed: it follows soon, and at once when the network comes up.
        package var isCurable: Bool {
            switch self {
            case .requested, .transient, .clockNotSet: true
            case .incurable, .kicked, .joinedElsewhere: false
            }
        }
    }

    package var kind: Class
    package var text: String

    package init(_ kind: Class, _ text: String) {
        self.kind = kind
        self.text = text
    }

    package static let requested = RoomReason(.requested, "requested")
}
