import MediaTypes

/// How an LED is lit over time; the raw value is the word of the configuration.
///
/// ```
/// on         ██████████████████████████████████████████
/// blink      █████     █████     █████     █████         1 Hz: 500 ms lit, 500 ms dark
/// fast-blink ██  ██  ██  ██  ██  ██  ██  ██  ██  ██      4 Hz: 125 ms lit, 125 ms dark
/// pulse      █                   █                       a flash of 100 ms every 2 s
/// ```
/// Each begins lit, so that a change shows at once. 4 Hz is plainly faster than 1 Hz and stays below the 5 Hz to 30 Hz
/// that trouble people with photosensitive epilepsy.
package enum LightPattern: String, CaseIterable, Hashable, Sendable {
    case off
    case on
    case blink
    case fastBlink = "fast-blink"
    case pulse

    /// Whether the LED is lit this long after the pattern began; before it began counts as its beginning.
    package func isLit(after elapsed: Interval) -> Bool {
        guard let wave else { return self == .on }
        return max(elapsed, .zero).nanoseconds % wave.period.nanoseconds < wave.lit.nanoseconds
    }

    /// When the level changes next, as a time since the pattern began; nil when it never does.
    package func nextChange(after elapsed: Interval) -> Interval? {
        guard let wave else { return nil }
        let position = max(elapsed, .zero).nanoseconds
        let start = position - position % wave.period.nanoseconds
        let end = position - start < wave.lit.nanoseconds ? wave.lit : wave.period
        return Interval(nanoseconds: start) + end
    }

    private var wave: (period: Interval, lit: Interval)? {
        switch self {
        case .off, .on: nil
        case .blink: (.seconds(1), .milliseconds(500))
        case .fastBlink: (.milliseconds(250), .milliseconds(125))
        case .pulse: (.seconds(2), .milliseconds(100))
        }
    }
}
