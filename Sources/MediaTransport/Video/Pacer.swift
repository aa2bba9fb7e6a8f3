import MediaTypes

/// Spreads video packets over time, so that a key frame does not fill the queues on the way at once.
struct Pacer: BitwiseCopyable {
    /// As libwebrtc's `kDefaultPaceMultiplier`: frames leave faster than the average, or they would add delay.
    static let speed = 2.5
    /// What may leave at once after a pause.
    static let burst = Interval.milliseconds(5)
    /// Nothing waits longer: the pace rises instead.
    static let longestQueue = Interval.milliseconds(300)
    /// The slowest pace (bits/s).
    static let slowest = 300_000.0

    private(set) var nextSend = MonotonicTime.zero

    init() {}

    func maySend(at time: MonotonicTime) -> Bool { nextSend <= time }

    /// Accounts for one packet.
    /// - Parameter queuedBytes: what waits behind it.
    mutating func noteSent(byteCount: Int, queuedBytes: Int, allowed: Bitrate, at time: MonotonicTime) {
        let drain = Double(queuedBytes) * 8 / Self.longestQueue.seconds
        let pace = max(Double(allowed.bitsPerSecond) * Self.speed, drain, Self.slowest)
        let duration = Interval(nanoseconds: Int64(Double(byteCount) * 8e9 / pace))
        nextSend = max(nextSend, time - Self.burst) + duration
    }
}
