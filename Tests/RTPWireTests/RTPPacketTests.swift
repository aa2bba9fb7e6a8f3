import MediaTypes
import Testing

@testable import RTPWire

@Suite struct RTPPacketTests {
    @Test func anEmptyDatagramIsNoPacket() {
        #expect(RTPPacketView(UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    }
}
