/// How an output makes its two levels; the raw value is the word of the configuration.
package enum LineDrive: String, CaseIterable, Hashable, Sendable {
    case pushPull = "push-pull"
    /// Pulls to ground or lets go.
    case openDrain = "open-drain"
    /// Pulls to the supply or lets go.
    case openSource = "open-source"
}
