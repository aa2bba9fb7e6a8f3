import MediaTypes

/// One LED over time. Pure: indicators and times in, a level out.
package struct Light: Sendable {
    private let settings: LightSettings
    private var start = MonotonicTime.zero
    private var now = MonotonicTime.zero
    /// What is shown now; nil: nothing, the LED is dark.
    package private(set) var rule: LightRule?

    package init(_ settings: LightSettings) {
        self.settings = settings
    }

    /// Whether the LED is to be lit.
    package var isLit: Bool { rule?.pattern.isLit(after: now - start) ?? false }

    /// When `isLit` changes by itself; `distantFuture` when it does not.
    package var nextDeadline: MonotonicTime {
        guard let change = rule?.pattern.nextChange(after: now - start) else { return .distantFuture }
        return start + change
    }

    /// These indicators are on, and no others. A pattern that goes on, goes on without a jump.
    package mutating func show(_ indicators: Set<Indicator>, at time: MonotonicTime) {
        advance(to: time)
        let next = settings.rule(for: indicators)
        if next?.pattern != rule?.pattern { start = now }
        rule = next
    }

    package mutating func advance(to time: MonotonicTime) {
        now = max(now, time)
    }
}
