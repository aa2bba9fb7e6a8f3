import MediaTypes

/// When a line that is missing, busy or lost is tried again: soon at first, then every 30 s, for ever; and soon after
/// a device node came.
struct LineRetry: Sendable {
    static let firstDelays: [Interval] = [.seconds(1), .seconds(5)]
    static let laterDelay = Interval.seconds(30)
    /// From the arrival of a device node to the next attempt: by then udev has set its permissions.
    static let arrivalDelay = Interval.milliseconds(250)

    /// `distantFuture` while the line is open.
    private(set) var time = MonotonicTime.zero
    private var failureCount = 0

    /// Whether the line is to be tried again.
    var isWaiting: Bool { time != .distantFuture }

    /// A device node came or changed: it may be the one that is missing.
    mutating func somethingArrived(at now: MonotonicTime) {
        if isWaiting { time = min(time, now + LineRetry.arrivalDelay) }
    }

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
