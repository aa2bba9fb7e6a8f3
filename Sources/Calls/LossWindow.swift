import MediaTypes

/// The part that was lost of what should have come, over the last two seconds or so.
struct LossWindow: Sendable {
    private static let length = Interval.seconds(2)
    /// Fewer packets say nothing.
    private static let leastPackets: Int64 = 20

    /// 0 … 1.
    private(set) var share = 0.0
    private var beginTime: MonotonicTime?
    private var received: Int64 = 0
    private var lost: Int64 = 0

    /// - Parameter lost: may shrink when a late packet comes.
    mutating func note(received: Int64, lost: Int64, at now: MonotonicTime) {
        if let beginTime {
            guard now - beginTime >= Self.length else { return }
            let newlyLost = max(0, lost - self.lost)
            let all = newlyLost + max(0, received - self.received)
            share = all >= Self.leastPackets ? Double(newlyLost) / Double(all) : 0
        }
        beginTime = now
        self.received = received
        self.lost = lost
    }
}
