import MediaTypes
import RTPWire

/// All RTP and RTCP of one peer connection, without sockets, clocks or threads.
///
/// ```
/// submitAudio/Video ─▶ SendStream(SendHistory) ─▶ Pacer ──────────────┐
/// receiveRTCP ─▶ resends, key frame requests, RateController ────────▶├─▶ pollOutput
/// receiveRTP ─▶ SourceTable ─▶ ReceiveStream(ReceiveLog, Nack…) ──────┤
///                               └─▶ VideoReceiver(FrameAssembler) ───▶│
/// advance ─▶ reports, NACK, PLI, transport feedback ──────────────────┘
/// ```
/// The caller feeds one input (`submit…`, `receive…`, `advance`, `configure`, …), then polls until `pollOutput` says nil,
/// then waits for the next input or for `nextDeadline`.
/// - Thread: confined to its owner's (`cb-net`). In steady state no call allocates.
/// - Errors: none; what the network sends wrong is counted by `PacketDropReason` and dropped.
package final class MediaSession {
    /// Bytes behind each packet to send that SRTP may write.
    package static let tailRoom = 160
    /// Before the far side's reports tell.
    static let assumedRoundTrip = Interval.milliseconds(100)

    let localCNAME: String
    let unixOffset: Interval
    var random: SeededRandom
    /// Set by tests of wrap-around.
    var forcedStart: StreamStart?
    var lines = LineList()
    var sources = SourceTable()
    var now = MonotonicTime.zero
    var isClosed = false
    // Out.
    var outputs = OutputQueue()
    var pacer = Pacer()
    var resends = ResendQueue()
    var resentRate = RateMeter()
    var sentRate = RateMeter()
    var sentPackets: SentPacketLog
    let packetBuffer: UnsafeMutableRawBufferPointer
    let reportBuffer: UnsafeMutableRawBufferPointer
    // In.
    let pool = PacketPool()
    var frameBuffer = FrameBuffer()
    var receivedRate = RateMeter()
    var arrivals = ArrivalLog()
    var arrivalNumbers = SequenceUnwrapper()
    var feedbackMedia = SSRC(0)
    var feedbackCount: UInt8 = 0
    var missing = MissingNumbers()
    // Rates and times.
    var rate: RateController
    var reportedRate: Bitrate?
    var roundTrip: Interval?
    var lastTransportFeedback: MonotonicTime?
    /// From reception reports since the last time that they decided about the rate.
    var reportedExpected = 0.0
    var reportedLost = 0.0
    var nextReport = MonotonicTime.distantFuture
    var nextFeedback = MonotonicTime.distantFuture
    var drops = [Int64](repeating: 0, count: PacketDropReason.allCases.count)
    var rtcpPacketsSent: Int64 = 0
    var rtcpPacketsReceived: Int64 = 0
    /// Times that the far side said something newly sent has arrived.
    var acknowledgements: Int64 = 0

    /// - Parameters:
    ///   - seed: decides first sequence numbers, timestamp offsets and report times; random for every session.
    ///   - startRate: allowed before the far side has said anything.
    ///   - unixOffset: wall-clock time minus monotonic time, for sender reports and capture times.
    package init(seed: UInt64, localCNAME: String, startRate: Bitrate, unixOffset: Interval = .zero) {
        self.localCNAME = localCNAME
        self.unixOffset = unixOffset
        random = SeededRandom(seed: seed)
        rate = RateController(start: startRate)
        sentPackets = SentPacketLog(firstNumber: UInt16(truncatingIfNeeded: random.next()))
        packetBuffer = .allocate(byteCount: 1_500 + Self.tailRoom, alignment: 16)
        reportBuffer = .allocate(byteCount: Self.reportLimit, alignment: 16)
    }

    deinit {
        packetBuffer.deallocate()
        reportBuffer.deallocate()
    }

    /// Bounds of `bitrateAllowed`.
    package func limitBitrate(minimum: Bitrate, maximum: Bitrate) {
        rate.limit(minimum: minimum, maximum: maximum)
        announceRate()
    }

    /// Takes over the negotiated lines; at any time. Lines that stay keep their streams.
    package func configure(_ configurations: [MediaLineConfiguration], at time: MonotonicTime) {
        move(to: time)
        var kept: [MediaLine] = []
        for configuration in configurations {
            let start = forcedStart ?? StreamStart(random: &random)
            if let line = lines.line(configuration.lineIndex), line.continues(as: configuration) {
                line.reconfigure(configuration, start: start, pool: pool)
                kept.append(line)
            } else {
                kept.append(MediaLine(configuration, start: start, pool: pool))
            }
        }
        lines = LineList(kept)
        resends.removeAll()
        sources.configure(configurations)
        if nextReport == .distantFuture && !lines.isEmpty { scheduleReport(after: .milliseconds(500)) }
        announceRate()
    }

    /// The next thing to do, or nil when the input is dealt with.
    package func pollOutput() -> MediaOutput? {
        if let record = outputs.removeFirst() { return output(record) }
        if let count = nextPacketToSend() {
            return .sendRTP(
                UnsafeMutableRawBufferPointer(rebasing: packetBuffer[..<count]), capacity: packetBuffer.count)
        }
        return nextReceivedFrame()
    }

    /// When `advance` must be called next.
    package var nextDeadline: MonotonicTime {
        guard !isClosed else { return .distantFuture }
        var earliest = min(nextReport, nextFeedback)
        let trip = roundTrip ?? Self.assumedRoundTrip
        var hasPacedPackets = !resends.isEmpty
        for line in lines {
            if let sender = line.sender {
                if line.kind == .video && sender.history.hasUnsent { hasPacedPackets = true }
                earliest = min(earliest, sender.limiter.nextDeadline)
            }
            if let receiver = line.receiver, line.configuration.receives {
                if line.configuration.codec.usesNACK {
                    earliest = min(earliest, receiver.nack.nextDeadline(roundTrip: trip))
                }
                if let video = receiver.video { earliest = min(earliest, video.nextDeadline(roundTrip: trip)) }
            }
        }
        return hasPacedPackets ? min(earliest, pacer.nextSend) : earliest
    }

    /// Does what is due: pacing, reports, feedback, requests.
    package func advance(to time: MonotonicTime) {
        move(to: time)
        guard !isClosed else { return }
        sendRequests()
        if nextFeedback <= now { sendTransportFeedback() }
        if nextReport <= now {
            sendReports()
            scheduleReport(after: .seconds(1))
        }
    }

    /// Asks the far side for a key frame, again and again until one came.
    package func requestKeyFrame(line lineIndex: Int, at time: MonotonicTime) {
        move(to: time)
        guard !isClosed, let line = line(lineIndex), line.configuration.receives else { return }
        line.receiver?.video?.demandKeyFrame()
        sendRequests()
    }

    /// Says goodbye for every stream that was sent. Nothing is sent or received afterwards.
    package func close(at time: MonotonicTime) {
        move(to: time)
        guard !isClosed else { return }
        sendGoodbye()
        isClosed = true
        resends.removeAll()
    }

    // MARK: Shared by the parts

    /// Time does not go back, whatever the caller says.
    func move(to time: MonotonicTime) {
        now = max(now, time)
    }

    func drop(_ reason: PacketDropReason) {
        drops[reason.rawValue] += 1
    }

    func line(_ index: Int) -> MediaLine? {
        lines.line(index)
    }

    func append(_ record: OutputQueue.Record, _ payload: UnsafeRawBufferPointer? = nil) {
        if !outputs.append(record, payload) { drop(.outputOverflow) }
    }

    /// Tells the owner when the allowed rate has changed by 2 % or more.
    func announceRate() {
        let allowed = rate.allowed
        guard hasSendingLine else { return }
        if let before = reportedRate {
            let change = abs(allowed.bitsPerSecond - before.bitsPerSecond)
            guard change * 50 >= before.bitsPerSecond || (change > 0 && rate.isAtLimit) else { return }
        }
        reportedRate = allowed
        var record = OutputQueue.Record(kind: .bitrateAllowed)
        record.bitrate = allowed
        append(record)
    }

    private var hasSendingLine: Bool {
        for line in lines where line.isSending { return true }
        return false
    }

    private func output(_ record: OutputQueue.Record) -> MediaOutput {
        let payload = outputs.payload(record)
        switch record.kind {
        case .rtcp:
            packetBuffer.copyMemory(from: payload)
            return .sendRTCP(
                UnsafeMutableRawBufferPointer(rebasing: packetBuffer[..<payload.count]), capacity: packetBuffer.count)
        case .audio:
            return .audio(
                line: record.line,
                ReceivedAudioPacket(
                    payload: payload, sequence: record.sequence, timestamp: record.timestamp, arrival: record.arrival,
                    levelDBov: record.levelDBov, hasVoice: record.hasVoice, marker: record.marker,
                    isRetransmission: record.isRetransmission, senderTime: record.senderTime))
        case .keyFrameRequested: return .keyFrameRequested(line: record.line)
        case .bitrateAllowed: return .bitrateAllowed(record.bitrate)
        case .remoteLeft: return .remoteLeft
        }
    }
}
