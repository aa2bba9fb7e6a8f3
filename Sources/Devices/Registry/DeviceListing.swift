/// One device that the configuration may name, for `callbox devices`.
package struct DeviceListing: Equatable, Sendable {
    package var kind: DeviceKind
    /// What to write into the configuration.
    package var specifier: String
    /// What it is, in a few words: the name of the card, or what a simulated device does.
    package var summary: String
    /// Further facts, one a line: driver, bus, formats, sizes, rates.
    package var details: [String] = []
    /// Made by software; no hardware behind it.
    package var isSimulated = false
    /// Why it cannot be used now, in plain words.
    package var problem: String?
}
