/// What one input does in one phase of a `PublisherSession`.
package enum PublisherOutcome: Sendable, Hashable {
    case ignored
    case change(PublisherPhase, [PublisherEffect])
}
