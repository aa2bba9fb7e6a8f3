import MediaTypes

/// Finds how long audio must be held so that nearly all packets are there in time.
///
/// Every packet has a transit time: arrival minus media time. The smallest of the last seconds is the base, what the
/// fastest packet needs; the rest is jitter and goes into a histogram that forgets slowly. The target is a high quantile.
/// - Thread: that of its owner; no allocation after `init`.
/// - Source: the idea of NetEq's `delay_manager.cc` and `histogram.cc`, in fixed point and with a windowed base.
struct PlayoutDelayEstimator: ~Copyable {
    static let bucketWidth = Interval.milliseconds(5)
    static let bucketCount = 128
    /// One packet in 80 may come too late: redundancy and concealment cover it.
    static let quantile: UInt64 = 0x4000_0000 / 80
    /// The base is the minimum of the last `windowCount` windows of `windowLength`.
    static let windowLength = Interval.seconds(2)
    static let windowCount = 8
    /// A transit time this far off the base is another clock, not jitter.
    static let clockJump = Interval.seconds(2)
    /// Weight that a packet leaves to the older ones: 1 − 1/512 (ten seconds of 20 ms packets).
    static let longestMemory = 512

    private let buckets: UnsafeMutablePointer<UInt64>
    private let windowMinima: UnsafeMutablePointer<Int64>
    private var window = 0
    private var windowEnd: MonotonicTime?
    private var packetCount = 0
    /// Nanoseconds; nil before the first packet.
    private(set) var base: Int64?

    init() {
        buckets = .allocate(capacity: Self.bucketCount)
        buckets.initialize(repeating: 0, count: Self.bucketCount)
        windowMinima = .allocate(capacity: Self.windowCount)
        windowMinima.initialize(repeating: .max, count: Self.windowCount)
    }

    deinit {
        buckets.deallocate()
        windowMinima.deallocate()
    }

    /// Media time of a 48 kHz timestamp.
    static func mediaNanoseconds(_ timestamp: Int64) -> Int64 { timestamp &* 62_500 / 3 }

    /// Takes one packet into account.
    mutating func add(timestamp: Int64, arrival: MonotonicTime) {
        let transit = arrival.nanoseconds &- Self.mediaNanoseconds(timestamp)
        if let base {
            let away = transit &- base
            if away > Self.clockJump.nanoseconds || away < -Self.clockJump.nanoseconds { forgetBase() }
        }
        rotateWindows(to: arrival)
        windowMinima[window] = min(windowMinima[window], transit)
        var smallest = Int64.max
        for index in 0..<Self.windowCount { smallest = min(smallest, windowMinima[index]) }
        base = smallest
        remember(Interval(nanoseconds: transit &- smallest))
    }

    /// How much later than the fastest packet something with this timestamp would be at `time`.
    func delay(ofTimestamp timestamp: Int64, at time: MonotonicTime) -> Interval {
        guard let base else { return .zero }
        return Interval(nanoseconds: time.nanoseconds &- Self.mediaNanoseconds(timestamp) &- base)
    }

    /// The delay at which all but a few packets are in time.
    var jitterQuantile: Interval {
        var late: UInt64 = 0
        var index = Self.bucketCount - 1
        while index > 0 {
            late += buckets[index]
            if late > Self.quantile { break }
            index -= 1
        }
        return Self.bucketWidth * Int64(index + 1)
    }

    private mutating func remember(_ delay: Interval) {
        let index = min(Int(delay.nanoseconds / Self.bucketWidth.nanoseconds), Self.bucketCount - 1)
        packetCount += 1
        let memory = UInt64(min(packetCount, Self.longestMemory))
        var sum: UInt64 = 0
        for bucket in 0..<Self.bucketCount {
            buckets[bucket] -= buckets[bucket] / memory
            sum += buckets[bucket]
        }
        // What rounding and forgetting took away is the weight of the new packet: the sum stays 2^30.
        buckets[index] += 0x4000_0000 - min(sum, 0x4000_0000)
    }

    private mutating func rotateWindows(to time: MonotonicTime) {
        guard var end = windowEnd else {
            windowEnd = time + Self.windowLength
            return
        }
        var steps = 0
        while time >= end && steps < Self.windowCount {
            window = (window + 1) % Self.windowCount
            windowMinima[window] = .max
            end = end + Self.windowLength
            steps += 1
        }
        windowEnd = time >= end ? time + Self.windowLength : end
    }

    private mutating func forgetBase() {
        for index in 0..<Self.windowCount { windowMinima[index] = .max }
        windowEnd = nil
        base = nil
    }
}
