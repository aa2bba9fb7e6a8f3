import MediaTypes
import RTPWire

/// One stream that is sent: its numbers, its packets, and what the far side says of it.
final class SendStream {
    /// How long packets stay answerable.
    static let videoMemory = Interval.seconds(1)
    static let audioMemory = Interval.milliseconds(500)
    /// Times that one packet is sent again.
    static let resendLimit: UInt8 = 10

    let ssrc: SSRC
    let rtxSSRC: SSRC
    let timestampOffset: Int
    var history: SendHistory
    var nextRTXSequence: SequenceNumber
    var pictureID: UInt16
    var limiter = KeyFrameRequestLimiter()
    /// A frame is missing in what was sent, or none was sent yet: only a key frame makes sense.
    var awaitsKeyFrame = true
    var statistics = SentMediaStatistics()
    /// What the line may carry in one payload, the descriptor included; set when it is configured.
    var payloadLimit = 1_000
    /// For sender reports: they wrap.
    private(set) var packetCount: UInt32 = 0
    private(set) var octetCount: UInt32 = 0
    /// Ties the stream's timestamps to the monotonic clock.
    private(set) var lastSubmission: (timestamp: RTPTimestamp, time: MonotonicTime)?
    private(set) var lastSent: MonotonicTime?
    var lastCaptureTime: MonotonicTime?
    private var highestReported: UInt32?

    init(_ configuration: MediaLineConfiguration, start: StreamStart) {
        ssrc = configuration.localSSRC
        rtxSSRC = configuration.localRTXSSRC
        timestampOffset = Int(start.timestampOffset)
        nextRTXSequence = SequenceNumber(start.rtxSequence)
        pictureID = start.pictureID
        let first = Int64(start.sequence)
        switch configuration.kind {
        case .video:
            history = SendHistory(
                firstSequence: first, byteCapacity: 8_192, byteLimit: 524_288, packetCapacity: 32, packetLimit: 512)
        case .audio:
            history = SendHistory(
                firstSequence: first, byteCapacity: 4_096, byteLimit: 65_536, packetCapacity: 16, packetLimit: 64)
        }
    }

    func noteSubmission(_ timestamp: RTPTimestamp, at time: MonotonicTime) {
        lastSubmission = (timestamp, time)
    }

    func noteSent(byteCount: Int, at time: MonotonicTime) {
        packetCount &+= 1
        octetCount &+= UInt32(byteCount)
        statistics.packets += 1
        statistics.bytes += Int64(byteCount)
        lastSent = time
    }

    /// The report for this moment, or nil where nothing was sent lately.
    func senderReport(clockRateHz: Int, unixOffset: Interval, at time: MonotonicTime) -> SenderReport? {
        guard let lastSubmission, let lastSent, time - lastSent < .seconds(5) else { return nil }
        let elapsed = (time - lastSubmission.time).nanoseconds / 1_000 * Int64(clockRateHz) / 1_000_000
        return SenderReport(
            sender: ssrc, ntpTime: NTPTime(time, unixOffset: unixOffset),
            timestamp: lastSubmission.timestamp.advanced(byTicks: Int(elapsed)), packetCount: packetCount,
            octetCount: octetCount)
    }

    /// Takes over one report block about this stream.
    /// - Returns: how many packets it speaks of for the first time, how many of them it calls lost, and whether it says
    ///   that something newer than before has arrived.
    func note(
        _ report: ReceptionReport, clockRateHz: Int
    ) -> (expected: Double, lost: Double, hasAdvanced: Bool) {
        let loss = Double(report.fractionLost) / 256
        statistics.fractionLost = loss
        statistics.cumulativeLost = Int64(report.cumulativeLost)
        statistics.remoteJitter = Interval(
            nanoseconds: Int64(report.jitter) * 1_000_000_000 / Int64(clockRateHz))
        defer { highestReported = report.extendedHighestSequence }
        guard let before = highestReported else { return (0, 0, true) }
        let expected = Int32(bitPattern: report.extendedHighestSequence &- before)
        guard expected > 0, expected < 100_000 else { return (0, 0, false) }
        return (Double(expected), Double(expected) * loss, true)
    }
}
