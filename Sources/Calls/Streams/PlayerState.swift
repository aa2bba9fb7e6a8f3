/// Where this endpoint stands with playing one remote stream (product.md, "rooms").
package enum PlayerState: String, Sendable, Hashable, CaseIterable {
    case idle
    /// Wanted, and no media arrives yet or any more.
    case requesting
    case playing
}
