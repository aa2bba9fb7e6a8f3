/// The resistor that the chip connects to an input; the raw value is the word of the configuration.
package enum LineBias: String, CaseIterable, Hashable, Sendable {
    /// As the board's firmware left it.
    case asIs = "as-is"
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"
}
