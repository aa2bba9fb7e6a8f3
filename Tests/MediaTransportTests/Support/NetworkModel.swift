import MediaTransport
import MediaTypes

/// What one direction of a simulated network does to packets.
struct NetworkProfile {
    /// Part of the packets that vanish, each by itself.
    var loss = 0.0
    /// Bursts (Gilbert): chance that one begins with a packet, and that it ends with one; everything in it vanishes.
    var burstBegin = 0.0
    var burstEnd = 0.3
    /// One way, without jitter.
    var delay = Interval.milliseconds(20)
    /// Added to the delay: evenly from nothing to this.
    var jitter = Interval.zero
    /// Whether jitter may change the order of packets.
    var reorders = true
    /// Part of the packets that come twice.
    var duplication = 0.0
    /// Nil for "as fast as you like".
    var rate: Bitrate?
    /// What may wait for its turn at `rate`.
    var queueLimit = Interval.milliseconds(300)
}

/// One direction of a network in virtual time; the same seed gives the same fate to the same packets.
struct NetworkModel {
    struct Datagram {
        var arrival: MonotonicTime
        var order: Int
        var isRTCP: Bool
        var bytes: [UInt8]
    }

    var profile: NetworkProfile
    private var random: SeededRandom
    private var inFlight: [Datagram] = []
    private var sentCount = 0
    private var isInBurst = false
    private var linkFree = MonotonicTime.zero
    private var lastArrival = MonotonicTime.zero
    private(set) var lostCount = 0

    init(_ profile: NetworkProfile, seed: UInt64) {
        self.profile = profile
        random = SeededRandom(seed: seed)
    }

    mutating func send(_ bytes: [UInt8], isRTCP: Bool, at time: MonotonicTime) {
        // Always the same number of draws, so that one packet more does not change the fate of all others.
        let draws = (0..<5).map { _ in random.nextFraction() }
        sentCount += 1
        isInBurst = isInBurst ? draws[0] >= profile.burstEnd : draws[0] < profile.burstBegin
        if isInBurst || draws[1] < profile.loss {
            lostCount += 1
            return
        }
        var departure = time
        if let rate = profile.rate {
            departure = max(time, linkFree)
            guard departure - time <= profile.queueLimit else {
                lostCount += 1
                return
            }
            departure =
                departure + Interval(nanoseconds: Int64(bytes.count) * 8_000_000_000 / Int64(rate.bitsPerSecond))
            linkFree = departure
        }
        let jitter = Interval(nanoseconds: Int64(draws[2] * Double(profile.jitter.nanoseconds)))
        var arrival = departure + profile.delay + jitter
        if !profile.reorders { arrival = max(arrival, lastArrival) }
        lastArrival = max(lastArrival, arrival)
        insert(Datagram(arrival: arrival, order: sentCount * 2, isRTCP: isRTCP, bytes: bytes))
        if draws[3] < profile.duplication {
            let later = arrival + Interval(nanoseconds: Int64(draws[4] * 30e6))
            insert(Datagram(arrival: later, order: sentCount * 2 + 1, isRTCP: isRTCP, bytes: bytes))
        }
    }

    var nextArrival: MonotonicTime { inFlight.last?.arrival ?? .distantFuture }

    mutating func receive(at time: MonotonicTime) -> Datagram? {
        guard let next = inFlight.last, next.arrival <= time else { return nil }
        return inFlight.removeLast()
    }

    /// Latest first, so that taking the earliest is cheap.
    private mutating func insert(_ datagram: Datagram) {
        var index = inFlight.count
        while index > 0 {
            let other = inFlight[index - 1]
            if (other.arrival, other.order) > (datagram.arrival, datagram.order) { break }
            index -= 1
        }
        inFlight.insert(datagram, at: index)
    }
}
