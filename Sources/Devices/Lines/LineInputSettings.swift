import MediaTypes

/// A GPIO line to be watched.
package struct LineInputSettings: Hashable, Sendable {
    package var address: LineAddress
    /// Active is the low voltage: a button between the line and ground.
    package var isActiveLow = false
    package var bias = LineBias.asIs
    /// How long a level must last to count, where the kernel can see to it; zero: every edge counts.
    package var debounce = Interval.zero

    package init(_ address: LineAddress) {
        self.address = address
    }
}
