import MediaTypes

/// How often this side answers what it did not ask for: 20 at once, then 2 a second.
///
/// Whoever sends nonsense must not make this endpoint exceed the room service's rate.
struct AnswerBudget: Sendable {
    static let burst: Int64 = 20
    static let interval = Interval.milliseconds(500)

    /// When the budget will be whole again.
    private var wholeTime = MonotonicTime.zero

    /// - Returns: whether one more answer may be sent at `now`.
    mutating func take(at now: MonotonicTime) -> Bool {
        let start = max(wholeTime, now)
        guard start - now <= AnswerBudget.interval * (AnswerBudget.burst - 1) else { return false }
        wholeTime = start + AnswerBudget.interval
        return true
    }
}
