/// Why the room state changed: a class that decides what happens next, and words for a person.
package struct RoomReason: Sendable, Hashable {
    /// What a retry can do about it.
    package enum Class: Sendable, Hashable {
        /// Nothing is wrong: asked for by this endpoint.
        case requested
        /// The network or the server: comes back by itself, retried soon.
        case transient
        /// A refusal that the same request meets again: retried slowly.
        case incurable
        /// Removed from the room: retried slowly.
        case kicked
    }

    package var kind: Class
    package var text: String

    package init(_ kind: Class, _ text: String) {
        self.kind = kind
        self.text = text
    }

    package static let requested = RoomReason(.requested, "requested")
}
