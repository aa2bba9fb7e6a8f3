import MediaTypes
import RTPWire

/// What report blocks say of one received stream: loss between two reports, jitter, and when the last sender report came.
///
/// - Source: RFC 3550 §6.4.1, appendices A.3 and A.8.
struct ReceptionLog: BitwiseCopyable {
    private let clockRateHz: Int
    private var lastTransit: Int64?
    /// In 1/16 ticks.
    private var jitterSixteenths: Int64 = 0
    private var expectedBefore: Int64 = 0
    private var receivedBefore: Int64 = 0
    private(set) var lastSenderReport: SenderReport?
    private var lastSenderReportArrival = MonotonicTime.zero

    init(clockRateHz: Int) {
        self.clockRateHz = clockRateHz
    }

    var jitterTicks: UInt32 { UInt32(clamping: jitterSixteenths >> 4) }
    var jitter: Interval {
        Interval(nanoseconds: jitterSixteenths * 1_000_000_000 / 16 / Int64(clockRateHz))
    }

    /// One packet as it came the first time.
    /// - Parameter timestamp: unwrapped.
    mutating func note(timestamp: Int64, at time: MonotonicTime) {
        let arrivalTicks = time.nanoseconds / 1_000 * Int64(clockRateHz) / 1_000_000
        let transit = arrivalTicks - timestamp
        defer { lastTransit = transit }
        guard let last = lastTransit else { return }
        let difference = abs(transit - last)
        // After a pause the timestamps may have another relation to time; that is not jitter.
        guard difference < Int64(clockRateHz) * 5 else { return }
        jitterSixteenths += difference - ((jitterSixteenths + 8) >> 4)
    }

    /// The sender's timestamps start anew: what was known of them is void.
    mutating func noteRestart() {
        lastTransit = nil
        lastSenderReport = nil
    }

    mutating func note(_ report: SenderReport, at time: MonotonicTime) {
        lastSenderReport = report
        lastSenderReportArrival = time
    }

    /// The report block to send now.
    mutating func report(
        source: SSRC, expected: Int64, received: Int64, highest: Int64, at time: MonotonicTime
    ) -> ReceptionReport {
        let expectedNow = expected - expectedBefore
        let lostNow = expectedNow - (received - receivedBefore)
        expectedBefore = expected
        receivedBefore = received
        var report = ReceptionReport(source: source)
        report.fractionLost = expectedNow > 0 && lostNow > 0 ? UInt8(clamping: lostNow * 256 / expectedNow) : 0
        report.cumulativeLost = Int32(clamping: expected - received)
        report.extendedHighestSequence = UInt32(truncatingIfNeeded: highest)
        report.jitter = jitterTicks
        if let last = lastSenderReport {
            report.lastSenderReport = last.ntpTime.compact
            report.delaySinceLastSenderReport = NTPTime.compact(time - lastSenderReportArrival)
        }
        return report
    }

    /// When something with this timestamp was captured, in nanoseconds of the sender's clock (since 1900).
    func senderTime(of timestamp: RTPTimestamp) -> Int64? {
        guard let report = lastSenderReport else { return nil }
        let ticks = Int64(report.timestamp.distance(to: timestamp))
        let seconds = Int64(report.ntpTime.rawValue >> 32) * 1_000_000_000
        let fraction = Int64(((report.ntpTime.rawValue & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
        return seconds + fraction + ticks * 1_000_000_000 / Int64(clockRateHz)
    }
}
