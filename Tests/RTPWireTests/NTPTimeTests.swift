import MediaTypes
import Testing

@testable import RTPWire

@Suite struct NTPTimeTests {
    @Test func theUnixEpochIsSeventyYearsAfter1900() {
        let time = NTPTime(MonotonicTime(nanoseconds: 500_000_000), unixOffset: .zero)
        #expect(time.rawValue == UInt64(2_208_988_800) << 32 | 0x8000_0000)
        #expect(time.compact == 0x7E80_8000)
    }

    @Test(arguments: [Int64(0), 1, 999_999_999, 1_000_000_000, 1_700_000_000_123_456_789])
    func conversionsAgreeToANanosecond(nanoseconds: Int64) {
        for offset in [Interval.zero, .seconds(1_700_000_000), .nanoseconds(999_999_999)] {
            let time = MonotonicTime(nanoseconds: nanoseconds)
            let back = NTPTime(time, unixOffset: offset).monotonicTime(unixOffset: offset)
            #expect((0...1).contains((time - back).nanoseconds))
        }
    }

    @Test func differencesHaveASign() {
        let a = NTPTime(UInt64(5) << 32)
        let b = NTPTime(UInt64(7) << 32 | 0x4000_0000)
        #expect(b.interval(since: a) == .milliseconds(2_250))
        #expect(a.interval(since: b) == .milliseconds(-2_250))
    }

    @Test func sendTimesAreSixBitsOfSecondsAndEighteenOfFraction() {
        #expect(NTPTime(UInt64(64 + 3) << 32 | 0x8000_0000).absSendTime == 3 << 18 | 1 << 17)
    }

    @Test func compactSpansAreCapped() {
        #expect(NTPTime.compact(.milliseconds(1_500)) == 0x0001_8000)
        #expect(NTPTime.compact(.milliseconds(-1)) == 0)
        #expect(NTPTime.compact(.seconds(Int64(70_000))) == .max)
        #expect(NTPTime.interval(compact: 0x0001_8000) == .milliseconds(1_500))
    }

    /// The example of RFC 3550 §6.4.1, figure 2: 6.125 s.
    @Test func theRoundTripOfTheRFC() {
        let report = ReceptionReport(
            source: SSRC(1), lastSenderReport: 0xB705_2000, delaySinceLastSenderReport: 0x0005_4000)
        #expect(NTPTime.roundTripTime(arrival: 0xB710_8000, report: report) == .milliseconds(6_125))
    }

    @Test func roundTripsThatCannotBeAreNil() {
        #expect(NTPTime.roundTripTime(arrival: 5, report: ReceptionReport(source: SSRC(1))) == nil)
        let early = ReceptionReport(source: SSRC(1), lastSenderReport: 0x1000_0000, delaySinceLastSenderReport: 2)
        #expect(NTPTime.roundTripTime(arrival: 0x1000_0001, report: early) == .zero)
        #expect(NTPTime.roundTripTime(arrival: 0x0F00_0000, report: early) == nil)
    }

    @Test func roundTripsWrapAround() {
        let report = ReceptionReport(
            source: SSRC(1), lastSenderReport: 0xFFFF_F000, delaySinceLastSenderReport: 0x0800)
        #expect(NTPTime.roundTripTime(arrival: 0x0000_0800, report: report) == NTPTime.interval(compact: 0x1000))
    }
}
