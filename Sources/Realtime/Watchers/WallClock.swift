import Glibc

/// The clock on the wall: for certificates and for people, never for timers.
package enum WallClock {
    /// 2026-01-01: this program did not exist before.
    private static let earliest: Int64 = 1_767_225_600

    /// Seconds since 1970.
    package static var unixTime: Int64 { Int64(time(nil)) }

    /// Whether somebody has set the clock since boot; a board without a battery starts in the past.
    package static var isSet: Bool { isPlausible(unixTime: unixTime) }

    static func isPlausible(unixTime: Int64) -> Bool { unixTime >= earliest }

    /// Today by this clock, in UTC: "1970-01-01".
    package static var dateText: String { dateText(unixTime: unixTime) }

    static func dateText(unixTime: Int64) -> String {
        var seconds = time_t(unixTime)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(1900 + parts.tm_year)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
    }
}
