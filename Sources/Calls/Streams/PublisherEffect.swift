/// What a `PublisherSession` does on its way to the next phase.
package enum PublisherEffect: String, Sendable, Hashable {
    case ask = "ask the room service"
    case withdraw = "unpublish"
    case planRetry = "plan a retry"
}
