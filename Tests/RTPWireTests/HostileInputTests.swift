import MediaTypes
import Testing

@testable import RTPWire

/// Everything a peer may send, cut and mutated: nothing may trap, and every walk must end.
@Suite struct HostileInputTests {
    static let packets = [
        "92 60 0001 00000002 00000003 00000004 00000005 BEDE 0002 10AA 22010203 00 00 0A0B0C0D",
        "B0 60 0001 00000002 00000003 1000 0003 0100 0203AABBCC 0F02 0102 00 90 80 80 11 1002009D012A8042E081 00000003",
        "81 C8 000C 00000001 0102030405060708 00000002 00000003 00000004 AABBCCDD 19 FFFFFD 0001FFFF 0000004D 12345678 9ABCDEF0",
        "82 CA 0005 00000001 02 01 41 01 02 4243 00 00000002 00000000",
        "81 CB 0002 00000007 02 6869 00", "81 CD 0003 00000001 00000002 FFF0 8001",
        "84 CE 0004 00000001 00000000 00000002 07000000", "8F CE 0005 00000001 00000000 52454D42 01 030D40 00000002",
        "8F CD 0007 00000001 00000002 FFFE 0006 000001 07  2003 0002 4001  01 FF 02 FF38 00",
        "8F CD 0006 00000001 00000002 0001 0004 000000 00  D240 05 FFFF 06 0000", "0B 83 01 05 07 08 09 0A 0B 0C",
    ]

    @Test func truncationsNeverTrap() {
        for text in Self.packets {
            let packet = bytes(text)
            for length in 0...packet.count { withExactBytes(packet.prefix(length), exercise) }
        }
    }

    @Test func mutationsNeverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        print("seed \(seed)")
        for _ in 0..<20_000 {
            guard let text = Self.packets.randomElement(using: &generator) else { continue }
            var packet = bytes(text)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                packet[Int.random(in: 0..<packet.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            withExactBytes(packet.prefix(.random(in: 0...packet.count, using: &generator)), exercise)
        }
    }

    @Test func noiseNeverTraps() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...64, using: &generator)
            withExactBytes((0..<count).map { _ in .random(in: 0...255, using: &generator) }, exercise)
        }
    }

    private func exercise(_ buffer: UnsafeRawBufferPointer) {
        _ = DatagramKind(buffer)
        if let view = RTPPacketView(buffer) {
            _ = HeaderExtensionValues(view, map: HeaderExtensionTests.map)
            for index in 0..<view.csrcCount { _ = view.csrc(at: index) }
            payload(view.payload)
        }
        payload(buffer)
        guard let compound = RTCPCompoundView(buffer) else { return }
        for block in compound {
            switch block {
            case .senderReport(_, let reports), .receiverReport(_, let reports): for _ in reports {}
            case .sourceDescription(let list): for chunk in list { _ = Array(chunk.cname) }
            case .bye(let sources), .maximumBitrate(_, let sources): for _ in sources {}
            case .nack(_, let list): for _ in list {}
            case .fullIntraRequest(let list): for _ in list {}
            case .transportFeedback(let view):
                #expect(view.reduce(into: 0) { count, _ in count += 1 } == view.statusCount)
            case .pictureLoss, .other, .malformed: break
            }
        }
    }

    private func payload(_ buffer: UnsafeRawBufferPointer) {
        if let parsed = VP8PayloadDescriptor.parse(buffer) { #expect(parsed.byteCount <= buffer.count) }
        _ = VP8FrameHeader(buffer)
        if let opus = OpusPayload(buffer) { #expect(opus.durationTicks <= 5_760) }
    }
}
