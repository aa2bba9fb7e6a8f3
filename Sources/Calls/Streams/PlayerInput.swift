/// Everything that may happen to a `PlayerSession`.
package enum PlayerInput: String, Sendable, Hashable, CaseIterable {
    case want
    case unwant
    case mediaArrives = "media arrives"
    case mediaStopped = "media stopped"
}
