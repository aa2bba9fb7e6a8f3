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

    /// What happened so far.
    package private(set) var statistics = AudioJitterStatistics()
    private let limits: Limits
    private var estimator = PlayoutDelayEstimator()
    private var store = AudioPacketStore()
    private var leastDelay = LeastDelay()
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
    }

    /// Packets that wait for their turn.
    package var packetCount: Int { store.count }

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
        guard payload.count <= AudioPacketStore.slotBytes, let opus = OpusPayload(payload) else {
            statistics.invalidPackets += 1
            return
        }
        if let newest = newestTimestamp, abs(timestamp &- newest) > Self.timelineJump { restart() }
        if !isRetransmission { estimator.add(timestamp: timestamp, arrival: arrival) }
        if let position = nextTimestamp, timestamp < position {
            statistics.latePackets += 1
            return
        }
        var packet = AudioPacketStore.Packet(
            timestamp: timestamp, sequence: sequence, frames: Int64(opus.durationTicks))
        packet.isQuiet = opus.isDTX || (levelDBov ?? 0) >= Self.quietLevel
        packet.isDTX = opus.isDTX
        packet.hasFEC = opus.hasFEC
        switch store.insert(packet, payload) {
        case .stored: break
        case .duplicate:
            statistics.duplicatePackets += 1
            return
        case .displacedOldest: statistics.overflowedPackets += 1
        case .refused:
            statistics.overflowedPackets += 1
            return
        }
        newestTimestamp = max(newestTimestamp ?? timestamp, timestamp)
        statistics.insertedPackets += 1
    }

    /// The next stretch to play, asked for when the speaker needs it.
    package func nextFrame(at time: MonotonicTime) -> AudioFrameAction {
        store.takeBack()
        let target = targetDelay(at: time)
        statistics.targetDelay = target
        if !isPlaying {
            guard let head = store.head, estimator.delay(ofTimestamp: head.timestamp, at: time) >= target
            else { return silence() }
            isPlaying = true
            nextTimestamp = head.timestamp
            credit = 0
            concealedInARow = 0
            leastDelay.reset()
        }
        let position = nextTimestamp ?? 0
        while let head = store.head, head.timestamp < position {
            statistics.latePackets += 1
            store.removeHead()
        }
        let delay = estimator.delay(ofTimestamp: position, at: time)
        statistics.currentDelay = delay
        leastDelay.note(delay, at: time)
        guard let head = store.head else { return underrun() }
        if head.timestamp > position { return bridge(to: head, from: position, shortage: target - delay, at: time) }
        return adapt(head, target: target, at: time) ?? play(head)
    }

    /// Forgets the timeline and every packet: the stream begins anew.
    package func restart() {
        while store.count > 0 { store.removeHead() }
        isPlaying = false
        newestTimestamp = nil
        nextTimestamp = nil
        lastPlayedSequence = nil
        lastPlayedWasDTX = false
        statistics.restarts += 1
    }

    // MARK: Decisions

    /// Nothing is there: either silence that the sender does not send, or packets late or lost.
    private func underrun() -> AudioFrameAction {
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
    private func bridge(
        to head: AudioPacketStore.Packet, from start: Int64, shortage: Interval, at time: MonotonicTime
    ) -> AudioFrameAction {
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
        if gap == 0 { return play(head) }
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
            return .decodeFEC(store.headPayload, frames: Int(gap))
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
    private func adapt(
        _ head: AudioPacketStore.Packet, target: Interval, at time: MonotonicTime
    ) -> AudioFrameAction? {
        guard let least = leastDelay.value else { return nil }
        let excess = least - target
        if excess <= Self.anyTolerance {
            overdueSince = nil
        } else if overdueSince == nil {
            overdueSince = time
        }
        guard time >= nextAdaptation else { return nil }
        let isQuiet = head.isQuiet && lastPlayedWasQuiet
        if excess > Self.quietTolerance && store.count > 1 {
            let isOverdue = overdueSince.map { time - $0 > .seconds(1) } ?? false
            return isQuiet || isOverdue ? leaveOut(head, at: time) : nil
        }
        if excess < Interval.zero - Self.quietTolerance && isQuiet {
            statistics.expandedFrames += Self.stretchFrames
            noteAdaptation(of: Self.stretchFrames, at: time)
            return silence()
        }
        return nil
    }

    private func leaveOut(_ head: AudioPacketStore.Packet, at time: MonotonicTime) -> AudioFrameAction {
        statistics.acceleratedFrames += head.frames
        lastPlayedSequence = head.sequence
        let position = head.timestamp + head.frames
        nextTimestamp = position
        store.removeHead()
        noteAdaptation(of: -head.frames, at: time)
        guard let following = store.head else { preconditionFailure("a packet is left out only before another one") }
        if following.timestamp <= position { return play(following) }
        return bridge(to: following, from: position, shortage: .zero, at: time)
    }

    private func noteAdaptation(of frames: Int64, at time: MonotonicTime) {
        nextAdaptation = time + Self.adaptationPause
        leastDelay.shift(by: Interval(nanoseconds: PlayoutDelayEstimator.mediaNanoseconds(frames)))
    }

    private func play(_ head: AudioPacketStore.Packet) -> AudioFrameAction {
        nextTimestamp = head.timestamp + head.frames
        lastPlayedSequence = head.sequence
        lastPlayedWasDTX = head.isDTX
        lastPlayedWasQuiet = head.isQuiet
        credit = 0
        concealedInARow = 0
        statistics.playedFrames += head.frames
        return .decode(store.lendHead())
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
}
