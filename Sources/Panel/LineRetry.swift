import MediaTypes

/// When a line that is missing, busy or lost is tried again: soon at first, then every 30 s, for ever.
struct LineRetry: Sendable {
    static let firstDelays: [Interval] = [.seconds(1), .seconds(5)]
    static let laterDelay = Interval.seconds(30)

    /// `distantFuture` while the line is open.
    private(set) var time = MonotonicTime.zero
    private var failureCount = 0

    mutating func succeeded() {
        failureCount = 0
        time = .distantFuture
    }

    mutating func failed(at now: MonotonicTime) {
        let delays = LineRetry.firstDelays
        time = now + (failureCount < delays.count ? delays[failureCount] : LineRetry.laterDelay)
        failureCount += 1
    }
}
