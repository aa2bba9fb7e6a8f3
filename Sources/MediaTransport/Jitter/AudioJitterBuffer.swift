import MediaTypes
import RTPWire

/// Holds the packets of one remote audio stream until it is their turn, and decides what to play when they are missing.
///
/// ```
/// insert ─▶ slots, ordered by timestamp ─▶ nextFrame ─▶ decode | decodeFEC | conceal | silence
///    └────▶ PlayoutDelayEstimator ─▶ target delay ─▶ leave out or put in a frame where it is quiet
/// ```
/// The delay grows at once when packets come too late (concealment does not move the timeline) and shrinks in silence.
/// Every DTX gap and every starvation ends in a new start, which waits for exactly the target delay.
/// - Units: timestamps are unwrapped ticks of 48 kHz.
/// - Thread: one (`cb-play`); no allocation, lock or reference count after `init`.
package final class AudioJitterBuffer {
    /// Bounds of the adaptive delay.
    package struct Limits: Sendable, BitwiseCopyable {
        package var minimumDelay = Interval.milliseconds(20)
        package var maximumDelay = Interval.milliseconds(500)
        /// Before enough is known of the network.
        package var startDelay = Interval.milliseconds(60)

        package init() {}
    }

    static let slotCount = 64
    static let slotBytes = 1_280
    /// Frames that one action covers when no packet says otherwise.
    static let stretchFrames: Int64 = 960
    /// What may be invented in a row before the stream counts as starved.
    static let longestConcealment: Int64 = 5 * 960
    /// A timestamp this far from the newest one starts a new timeline (10 s).
    static let timelineJump: Int64 = 480_000
    /// −dBov from which leaving out or repeating 20 ms is not heard.
    static let quietLevel: UInt8 = 50
    /// How far the delay may be off the target before something is done in a quiet moment, and in any.
    static let quietTolerance = Interval.milliseconds(20)
    static let anyTolerance = Interval.milliseconds(150)
    /// Between two adaptations.
    static let adaptationPause = Interval.milliseconds(100)
    /// Packets after which the estimate replaces the start delay.
    static let packetsToTrustEstimate: Int64 = 25
    /// How long one lost packet keeps the delay long enough for redundancy.
    static let lossMemory = Interval.seconds(10)

    struct Slot: BitwiseCopyable {
        var timestamp: Int64 = 0
        var sequence: Int64 = 0
        var byteCount = 0
        var frames: Int64 = 960
        var isQuiet = false
        var isDTX = false
        var hasFEC = false
    }

    /// What happened so far.
    package private(set) var statistics = AudioJitterStatistics()
    private let limits: Limits
    private var estimator = PlayoutDelayEstimator()
    private let bytes: UnsafeMutablePointer<UInt8>
    private let slots: UnsafeMutablePointer<Slot>
    /// Slot numbers in the order of their timestamps.
    private let order: UnsafeMutablePointer<Int>
    private var orderCount = 0
    /// Slot numbers that are free; the last freed is used first, so that little memory is ever touched.
    private let free: UnsafeMutablePointer<Int>
    private var freeCount: Int
    /// The slot that the last action points into.
    private var lentSlot: Int?
    private var isPlaying = false
    /// Timestamp of the next frame to play; nil before the first.
    private var nextTimestamp: Int64?
    private var newestTimestamp: Int64?
    private var lastPlayedSequence: Int64?
    private var lastPlayedWasDTX = false
    private var lastPlayedWasQuiet = false
    /// Frames invented since the last real ones without moving `position`.
    private var credit: Int64 = 0
    private var concealedInARow: Int64 = 0
    private var nextAdaptation = MonotonicTime.zero
    private var overdueSince: MonotonicTime?
    private var lastLoss: MonotonicTime?

    package init(limits: Limits = Limits()) {
        self.limits = limits
        bytes = .allocate(capacity: Self.slotCount * Self.slotBytes)
        slots = .allocate(capacity: Self.slotCount)
        slots.initialize(repeating: Slot(), count: Self.slotCount)
        order = .allocate(capacity: Self.slotCount)
        order.initialize(repeating: 0, count: Self.slotCount)
        free = .allocate(capacity: Self.slotCount)
        for index in 0..<Self.slotCount { (free + index).initialize(to: Self.slotCount - 1 - index) }
        freeCount = Self.slotCount
    }

    deinit {
        bytes.deallocate()
        slots.deallocate()
        order.deallocate()
        free.deallocate()
    }

    /// Packets that wait for their turn.
    package var packetCount: Int { orderCount }

    /// The delay aimed at: the jitter that nearly all packets stay below, and one packet more while packets get lost, so
    /// that the redundancy in the next one is there in time.
    package func targetDelay(at time: MonotonicTime) -> Interval {
        var target = estimator.jitterQuantile
        if statistics.insertedPackets < Self.packetsToTrustEstimate { target = max(target, limits.startDelay) }
        if let lastLoss, time - lastLoss < Self.lossMemory { target = target + .milliseconds(20) }
        return min(max(target, limits.minimumDelay), limits.maximumDelay)
    }

    /// Copies one packet in.
    /// - Parameters:
    ///   - levelDBov: from the audio level extension (0 loudest … 127 silent), nil if the packet has none.
    ///   - isRetransmission: its arrival says nothing about jitter.
    package func insert(
        _ payload: UnsafeRawBufferPointer, sequence: Int64, timestamp: Int64, arrival: MonotonicTime,
        levelDBov: UInt8? = nil, isRetransmission: Bool = false
    ) {
        guard payload.count <= Self.slotBytes, let opus = OpusPayload(payload) else {
            statistics.invalidPackets += 1
            return
        }
        if let newest = newestTimestamp, abs(timestamp &- newest) > Self.timelineJump { restart() }
        if !isRetransmission { estimator.add(timestamp: timestamp, arrival: arrival) }
        if let position = nextTimestamp, timestamp < position {
            statistics.latePackets += 1
            return
        }
        var place = orderCount
        while place > 0 && slots[order[place - 1]].timestamp > timestamp { place -= 1 }
        if place > 0 && slots[order[place - 1]].timestamp == timestamp {
            statistics.duplicatePackets += 1
            return
        }
        if freeCount == 0 {
            statistics.overflowedPackets += 1
            guard place > 0 else { return }
            removeHead()
            place -= 1
            // One slot may still be lent, but then another one was just freed.
        }
        freeCount -= 1
        let slot = free[freeCount]
        for index in stride(from: orderCount, to: place, by: -1) { order[index] = order[index - 1] }
        order[place] = slot
        orderCount += 1
        slots[slot] = Slot(
            timestamp: timestamp, sequence: sequence, byteCount: payload.count, frames: Int64(opus.durationTicks),
            isQuiet: opus.isDTX || (levelDBov ?? 0) >= Self.quietLevel, isDTX: opus.isDTX, hasFEC: opus.hasFEC)
        UnsafeMutableRawBufferPointer(start: bytes + slot * Self.slotBytes, count: Self.slotBytes)
            .copyMemory(from: payload)
        newestTimestamp = max(newestTimestamp ?? timestamp, timestamp)
        statistics.insertedPackets += 1
    }

    /// The next stretch to play, asked for when the speaker needs it.
    package func nextFrame(at time: MonotonicTime) -> AudioFrameAction {
        returnLentSlot()
        let target = targetDelay(at: time)
        statistics.targetDelay = target
        if !isPlaying {
            guard orderCount > 0, estimator.delay(ofTimestamp: slots[order[0]].timestamp, at: time) >= target
            else { return silence() }
            isPlaying = true
            nextTimestamp = slots[order[0]].timestamp
            credit = 0
            concealedInARow = 0
        }
        let position = nextTimestamp ?? 0
        dropPlayed(before: position)
        let delay = estimator.delay(ofTimestamp: position, at: time)
        statistics.currentDelay = delay
        guard orderCount > 0 else { return underrun(at: time) }
        let gap = slots[order[0]].timestamp - position
        if gap > 0 { return bridge(from: position, shortage: target - delay, at: time) }
        if let action = adapt(delay: delay, target: target, at: time) { return action }
        return playHead()
    }

    /// Forgets the timeline and every packet: the stream begins anew.
    package func restart() {
        while orderCount > 0 { removeHead() }
        isPlaying = false
        newestTimestamp = nil
        nextTimestamp = nil
        lastPlayedSequence = nil
        lastPlayedWasDTX = false
        statistics.restarts += 1
    }

    // MARK: Decisions

    /// Nothing is there: either silence that the sender does not send, or packets late or lost.
    private func underrun(at time: MonotonicTime) -> AudioFrameAction {
        if lastPlayedWasDTX || concealedInARow >= Self.longestConcealment {
            if !lastPlayedWasDTX { statistics.restarts += 1 }
            isPlaying = false
            return silence()
        }
        credit += Self.stretchFrames
        statistics.expandedFrames += Self.stretchFrames
        return conceal(Self.stretchFrames)
    }

    /// The packet at `position` is missing and a later one is there.
    /// - Parameter shortage: how far the delay is below the target; if it is, the missing one may still come.
    private func bridge(from start: Int64, shortage: Interval, at time: MonotonicTime) -> AudioFrameAction {
        let head = slots[order[0]]
        if let last = lastPlayedSequence, head.sequence == last + 1 {
            // Nothing is lost: the sender said nothing in between, and the head waits for its time like a first packet.
            isPlaying = false
            return nextFrame(at: time)
        }
        lastLoss = time
        var position = start
        let shortageWithoutCredit = shortage.nanoseconds + PlayoutDelayEstimator.mediaNanoseconds(credit)
        if credit > 0 && (shortageWithoutCredit <= 0 || head.timestamp - position > head.frames) {
            // What was invented for a packet that seemed late has filled this gap already; unless the delay needs it.
            let filled = min(credit, head.timestamp - position)
            position += filled
            credit -= filled
            statistics.expandedFrames -= filled
            nextTimestamp = position
        }
        let gap = head.timestamp - position
        if gap == 0 { return playHead() }
        if gap > Self.longestConcealment || concealedInARow >= Self.longestConcealment {
            isPlaying = false
            statistics.restarts += 1
            return nextFrame(at: time)
        }
        if gap <= head.frames && head.hasFEC {
            nextTimestamp = head.timestamp
            concealedInARow = 0
            credit = 0
            statistics.recoveredFrames += gap
            statistics.playedFrames += gap
            return .decodeFEC(payload(order[0]), frames: Int(gap))
        }
        let frames = min(gap, Self.stretchFrames)
        if shortage > .zero {
            credit += frames
            statistics.expandedFrames += frames
        } else {
            nextTimestamp = position + frames
        }
        return conceal(frames)
    }

    /// Moves the delay towards the target by one packet, where it is not heard.
    private func adapt(delay: Interval, target: Interval, at time: MonotonicTime) -> AudioFrameAction? {
        let excess = delay - target
        if excess <= Self.anyTolerance { overdueSince = nil }
        guard time >= nextAdaptation else { return nil }
        let head = slots[order[0]]
        if excess > Self.quietTolerance && orderCount > 1 {
            if excess > Self.anyTolerance && overdueSince == nil { overdueSince = time }
            let isOverdue = overdueSince.map { time - $0 > .seconds(1) } ?? false
            guard (head.isQuiet && lastPlayedWasQuiet) || isOverdue else { return nil }
            statistics.acceleratedFrames += head.frames
            lastPlayedSequence = head.sequence
            let position = head.timestamp + head.frames
            nextTimestamp = position
            removeHead()
            nextAdaptation = time + Self.adaptationPause
            guard slots[order[0]].timestamp > position else { return playHead() }
            return bridge(from: position, shortage: .zero, at: time)
        }
        if excess < Interval.zero - Self.quietTolerance && head.isQuiet && lastPlayedWasQuiet {
            statistics.expandedFrames += Self.stretchFrames
            nextAdaptation = time + Self.adaptationPause
            return silence()
        }
        return nil
    }

    private func playHead() -> AudioFrameAction {
        let slot = order[0]
        let head = slots[slot]
        nextTimestamp = head.timestamp + head.frames
        lastPlayedSequence = head.sequence
        lastPlayedWasDTX = head.isDTX
        lastPlayedWasQuiet = head.isQuiet
        credit = 0
        concealedInARow = 0
        statistics.playedFrames += head.frames
        detachHead()
        lentSlot = slot
        return .decode(payload(slot))
    }

    private func conceal(_ frames: Int64) -> AudioFrameAction {
        concealedInARow += frames
        statistics.concealedFrames += frames
        statistics.playedFrames += frames
        return .conceal(frames: Int(frames))
    }

    private func silence() -> AudioFrameAction {
        statistics.silentFrames += Self.stretchFrames
        return .silence(frames: Int(Self.stretchFrames))
    }

    // MARK: Slots

    private func payload(_ slot: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes + slot * Self.slotBytes, count: slots[slot].byteCount)
    }

    private func dropPlayed(before position: Int64) {
        while orderCount > 0 && slots[order[0]].timestamp < position {
            statistics.latePackets += 1
            removeHead()
        }
    }

    private func detachHead() {
        orderCount -= 1
        for index in 0..<orderCount { order[index] = order[index + 1] }
    }

    private func removeHead() {
        let slot = order[0]
        detachHead()
        free[freeCount] = slot
        freeCount += 1
    }

    private func returnLentSlot() {
        guard let slot = lentSlot else { return }
        lentSlot = nil
        free[freeCount] = slot
        freeCount += 1
    }
}
