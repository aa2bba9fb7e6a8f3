import MediaTypes

/// Asks the far side for a key frame until one has come.
struct KeyFrameRequester: BitwiseCopyable {
    static let shortestRetry = Interval.milliseconds(300)
    static let longestRetry = Interval.seconds(2)

    private var isWanted = false
    private var lastSent: MonotonicTime?
    /// Requests since the last key frame.
    private var sentCount: Int64 = 0

    init() {}

    /// A key frame is needed; asking twice changes nothing.
    mutating func want() {
        isWanted = true
    }

    /// A key frame came, or is no longer needed.
    mutating func settle() {
        isWanted = false
        sentCount = 0
    }

    /// When the next request is to be sent.
    func nextDeadline(roundTrip: Interval) -> MonotonicTime {
        guard isWanted else { return .distantFuture }
        guard let lastSent else { return .zero }
        // Slower and slower, so that a peer that cannot answer is not flooded.
        let factor = min(max(sentCount, 1), 6)
        return lastSent + min(max(Self.shortestRetry, roundTrip * 2) * factor, Self.longestRetry)
    }

    mutating func noteSent(at time: MonotonicTime) {
        lastSent = time
        sentCount += 1
    }
}
