import Testing

@testable import RTPWire

@Suite struct DatagramKindTests {
    /// RFC 7983 §7.
    @Test func theFirstByteTellsTheProtocol() {
        let kinds: [(ClosedRange<UInt8>, DatagramKind)] = [
            (0...3, .stun), (4...19, .unknown), (20...63, .dtls), (64...79, .turnChannel), (80...127, .unknown),
            (128...191, .rtp), (192...255, .unknown),
        ]
        for (range, kind) in kinds {
            for first in range { withExactBytes([first, 96]) { #expect(DatagramKind($0) == kind) } }
        }
        withExactBytes([UInt8]()) { #expect(DatagramKind($0) == .unknown) }
    }

    /// RFC 5761 §4: payload types 64 … 95 with the marker bit are RTCP packet types.
    @Test func theSecondByteTellsRTCPFromRTP() {
        for second in UInt8.min...UInt8.max {
            withExactBytes([0x80, second]) { buffer in
                #expect(isRTCP(buffer) == (192...223).contains(second))
                #expect(DatagramKind(buffer) == ((192...223).contains(second) ? .rtcp : .rtp))
            }
        }
        withExactBytes([UInt8(0x80)]) { #expect(!isRTCP($0)) }
        withExactBytes([0x16, 200]) { #expect(!isRTCP($0)) }
    }
}
