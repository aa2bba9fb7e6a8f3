/// What an LED shows while an indicator is on.
package struct LightRule: Hashable, Sendable {
    package var indicator: Indicator
    package var pattern: LightPattern

    package init(_ indicator: Indicator, _ pattern: LightPattern = .on) {
        self.indicator = indicator
        self.pattern = pattern
    }
}
