/// Where this endpoint stands with publishing its stream (product.md, "rooms").
package enum PublisherState: String, Sendable, Hashable, CaseIterable {
    case idle
    /// Wanted, and not yet or no longer published.
    case requesting
    case publishing
}
