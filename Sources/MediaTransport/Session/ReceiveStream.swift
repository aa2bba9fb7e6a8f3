import MediaTypes
import RTPWire

/// One stream that is received: which packets came, which are missing, and what is made of them.
final class ReceiveStream {
    /// A stream whose source changed this lately keeps it.
    static let sourceChangePause = Interval.milliseconds(200)
    /// After this long without a packet an earlier source may come back.
    static let silenceOfSource = Interval.seconds(1)
    /// Where the numbers of a new source go on: out of reach of late packets of the old one.
    static let sequenceGap: Int64 = 1_000

    let clockRateHz: Int
    private(set) var ssrc: SSRC?
    /// The source before this one: its late packets do not bring it back.
    private var earlierSSRC: SSRC?
    private var lastSourceChange: MonotonicTime?
    private var sequences = SequenceUnwrapper()
    private var timestamps = TimestampUnwrapper()
    var log = ReceiveLog()
    var nack: NackGenerator
    var reception: ReceptionLog
    let video: VideoReceiver?
    var statistics = ReceivedMediaStatistics()
    /// Distinct packets that did not come as RTX: what reports count.
    var directCount: Int64 = 0
    var hasSaidBye = false
    private(set) var lastPacket: MonotonicTime?
    /// From the numbers of this source to those handed on.
    private(set) var sequenceShift: Int64 = 0
    private(set) var timestampShift: Int64 = 0
    private var mustContinue = false
    private var highestSequence: Int64?
    private var highestTimestamp: Int64 = 0
    /// Counts of the sources before this one.
    private var expectedBefore: Int64 = 0

    init(_ codec: CodecBinding, pool: PacketPool) {
        clockRateHz = codec.clockRateHz
        nack = NackGenerator(policy: codec.kind == .video ? .video : .audio)
        reception = ReceptionLog(clockRateHz: codec.clockRateHz)
        video = codec.kind == .video ? VideoReceiver(pool: pool) : nil
    }

    /// Whether a media packet of this source is taken, and the stream now follows it.
    func accept(_ source: SSRC, at time: MonotonicTime) -> PacketDropReason? {
        defer { if source == ssrc { lastPacket = time } }
        if source == ssrc { return nil }
        if ssrc != nil {
            let silence = lastPacket.map { time - $0 } ?? .zero
            if source == earlierSSRC && silence < Self.silenceOfSource { return .tooOld }
            if let last = lastSourceChange, time - last < Self.sourceChangePause { return .sourceChangedTooOften }
            statistics.sourceChanges += 1
            earlierSSRC = ssrc
            lastSourceChange = time
            beginAnew()
        }
        ssrc = source
        statistics.ssrc = source
        return nil
    }

    /// The never-wrapping number of a packet; `nil` afterwards means nothing: call once for each packet.
    func unwrap(_ number: SequenceNumber) -> Int64 { sequences.unwrap(number) }
    func unwrap(_ timestamp: RTPTimestamp) -> Int64 { timestamps.unwrap(timestamp) }

    /// The sender started anew within the same source, at this packet.
    func noteRestart(timestamp: RTPTimestamp) -> Int64 {
        nack.forgetAll()
        video?.reset()
        reception.noteRestart()
        timestamps = TimestampUnwrapper()
        mustContinue = true
        return timestamps.unwrap(timestamp)
    }

    /// Settles how the numbers of a new source go on from the old ones. Call for each packet that is taken.
    func connect(sequence: Int64, timestamp: Int64, at time: MonotonicTime) {
        if mustContinue, let highestSequence {
            let elapsed = lastContinuation.map { (time - $0).nanoseconds / 1_000 * Int64(clockRateHz) / 1_000_000 } ?? 0
            sequenceShift = highestSequence + Self.sequenceGap - sequence
            timestampShift = highestTimestamp + max(elapsed, 1) - timestamp
        }
        mustContinue = false
        if highestSequence.map({ sequence + sequenceShift > $0 }) ?? true {
            highestSequence = sequence + sequenceShift
            highestTimestamp = timestamp + timestampShift
            lastContinuation = time
        }
    }

    /// When the packet with the highest number came.
    private var lastContinuation: MonotonicTime?

    /// The line receives nothing for a while: what is incomplete will not be completed.
    func pause() {
        nack.forgetAll()
        video?.reset()
    }

    /// Packets that should have come from all sources so far.
    var lostCount: Int64 { expectedBefore + log.expectedCount - statistics.packets }

    private func beginAnew() {
        expectedBefore += log.expectedCount
        sequences = SequenceUnwrapper()
        timestamps = TimestampUnwrapper()
        log.reset()
        directCount = 0
        nack.forgetAll()
        reception = ReceptionLog(clockRateHz: clockRateHz)
        video?.reset()
        mustContinue = true
        hasSaidBye = false
    }
}
