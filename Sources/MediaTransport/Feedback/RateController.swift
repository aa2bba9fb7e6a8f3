import MediaTypes

/// How much may be sent, by what the far side reports: loss, its own limit (REMB), and what it says has arrived.
///
/// A delay-based estimate (GCC) is not part of it yet; it will be one more bound in `allowed`.
/// - Source: the loss rules of draft-ietf-rmcat-gcc-02 §6, with a slower rise.
struct RateController: BitwiseCopyable {
    /// Below, the rate rises; above `highLoss` it falls; between, it stays.
    static let lowLoss = 0.02
    static let highLoss = 0.10
    /// In one second without loss.
    static let rise = 1.05
    /// Loss reports within this span of a reduction speak of the time before it.
    static let reductionPause = Interval.milliseconds(300)
    /// The rate does not rise above this multiple of what is really sent, or arrives: nobody knows if it would go.
    static let applicationLimit = 2.0

    private(set) var minimum = Bitrate.kilobitsPerSecond(60)
    private(set) var maximum = Bitrate.kilobitsPerSecond(2_500)
    private var lossBased: Double
    private var remoteLimit: Bitrate?
    private var lastRise: MonotonicTime?
    private var lastReduction: MonotonicTime?

    init(start: Bitrate) {
        lossBased = Double(start.bitsPerSecond)
        clamp()
    }

    var allowed: Bitrate {
        let rate = min(Int(lossBased), remoteLimit?.bitsPerSecond ?? .max)
        return Bitrate(bitsPerSecond: max(min(rate, maximum.bitsPerSecond), minimum.bitsPerSecond))
    }

    var isAtLimit: Bool { allowed == maximum || allowed == minimum }

    mutating func limit(minimum: Bitrate, maximum: Bitrate) {
        precondition(minimum <= maximum, "a range of bit rates")
        self.minimum = minimum
        self.maximum = maximum
        clamp()
    }

    /// - Parameters:
    ///   - loss: lost part of what was sent since the last report, 0 … 1.
    ///   - usedRate: what was sent (or, better, arrived) during the last second.
    mutating func noteLoss(_ loss: Double, usedRate: Bitrate, roundTrip: Interval, at time: MonotonicTime) {
        let sinceRise = lastRise.map { time - $0 } ?? .zero
        if loss > Self.highLoss {
            if let last = lastReduction, time - last < Self.reductionPause + roundTrip { return }
            lossBased *= 1 - 0.5 * min(loss, 1)
            lastReduction = time
            lastRise = time
        } else if loss < Self.lowLoss {
            lastRise = time
            if lossBased < Double(usedRate.bitsPerSecond) * Self.applicationLimit {
                // 1.05^t for short t; reports come about once a second.
                lossBased *= 1 + (Self.rise - 1) * min(max(sinceRise.seconds, 0), 2)
            }
        } else {
            lastRise = time
        }
        clamp()
    }

    mutating func noteRemoteLimit(_ rate: Bitrate) {
        remoteLimit = rate
    }

    private mutating func clamp() {
        lossBased = max(Double(minimum.bitsPerSecond), min(lossBased, Double(maximum.bitsPerSecond)))
    }
}
