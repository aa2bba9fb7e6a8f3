import MediaTypes

/// Wall-clock time as RTCP carries it: seconds since 1900 in 32.32 fixed point (RFC 3550 §4).
package struct NTPTime: Hashable, Sendable, BitwiseCopyable {
    package var rawValue: UInt64

    package init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The NTP form of a monotonic time.
    /// - Parameter unixOffset: Unix time minus monotonic time; read once by the caller, so that a clock step does not
    ///   disturb lip-sync in a running call.
    package init(_ time: MonotonicTime, unixOffset: Interval) {
        let nanoseconds = time.nanoseconds &+ unixOffset.nanoseconds
        let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let floorSeconds = rest < 0 ? seconds - 1 : seconds
        let fraction = UInt64(rest < 0 ? rest + 1_000_000_000 : rest)
        let ntpSeconds = UInt64(bitPattern: floorSeconds &+ NTPTime.secondsFrom1900To1970)
        rawValue = ntpSeconds << 32 | (fraction << 32) / 1_000_000_000
    }

    /// Bits 16 … 47: seconds modulo 65536 in 16.16 fixed point, as LSR carries it.
    package var compact: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }

    /// Seconds modulo 64 in 6.18 fixed point, as the abs-send-time extension carries it.
    package var absSendTime: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 14) & 0xFF_FFFF }

    /// The monotonic time this is, for the offset that the initializer takes. Valid from 1970 to 2106.
    package func monotonicTime(unixOffset: Interval) -> MonotonicTime {
        var seconds = Int64(rawValue >> 32) - NTPTime.secondsFrom1900To1970
        // The 32 bits of seconds start again in 2036.
        if seconds < 0 { seconds += 1 << 32 }
        let fraction = Int64(((rawValue & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
        return MonotonicTime(nanoseconds: seconds &* 1_000_000_000 &+ fraction &- unixOffset.nanoseconds)
    }

    /// From `earlier` to this time.
    package func interval(since earlier: NTPTime) -> Interval {
        let difference = Int64(bitPattern: rawValue &- earlier.rawValue)
        let seconds = difference >> 32
        let fraction = ((difference & 0xFFFF_FFFF) * 1_000_000_000) >> 32
        return Interval(nanoseconds: seconds * 1_000_000_000 + fraction)
    }

    /// A span in 1/65536 s, as DLSR carries it; longer spans than it can hold are capped, negative ones are 0.
    package static func compact(_ interval: Interval) -> UInt32 {
        guard interval > .zero else { return 0 }
        let (seconds, rest) = interval.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard seconds < 65_536 else { return .max }
        return UInt32(seconds) << 16 | UInt32((rest << 16) / 1_000_000_000)
    }

    /// The span that a number of 1/65536 s is.
    package static func interval(compact: UInt32) -> Interval {
        Interval(nanoseconds: (Int64(compact) * 1_000_000_000) >> 16)
    }

    /// Round-trip time from a report block (RFC 3550 §6.4.1), or nil where it has none or the clocks contradict it.
    /// - Parameter arrival: compact NTP time when the report came in.
    package static func roundTripTime(arrival: UInt32, report: ReceptionReport) -> Interval? {
        guard report.lastSenderReport != 0 else { return nil }
        let elapsed = arrival &- report.lastSenderReport &- report.delaySinceLastSenderReport
        // A peer whose clock runs a little faster may give a slightly negative result: that is "very short".
        guard elapsed < 0x8000_0000 else { return elapsed > 0xFFFF_0000 ? .zero : nil }
        return interval(compact: elapsed)
    }

    private static let secondsFrom1900To1970: Int64 = 2_208_988_800
}
