/// What one LED shows: several indicators by priority, the most important first.
package struct LightSettings: Hashable, Sendable {
    package var rules: [LightRule]

    package init(_ rules: [LightRule]) {
        self.rules = rules
    }

    /// The first rule whose indicator is on; nil: the LED is dark.
    package func rule(for indicators: Set<Indicator>) -> LightRule? {
        rules.first { indicators.contains($0.indicator) }
    }
}
