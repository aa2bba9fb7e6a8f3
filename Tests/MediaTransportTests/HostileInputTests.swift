import MediaTypes
import RTPWire
import Testing

@testable import MediaTransport

/// What a hostile or broken peer may send: counted, bounded, and nothing else disturbed.
@Suite struct HostileInputTests {
    private func rtp(
        ssrc: UInt32, sequence: UInt16, payloadType: UInt8, mid: String?, payload: [UInt8] = [1, 2, 3]
    ) -> [UInt8] {
        var bytes: [UInt8] = [mid == nil ? 0x80 : 0x90, payloadType, UInt8(sequence >> 8), UInt8(sequence & 0xFF)]
        bytes += [0, 0, 0, 0]
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: ssrc >> UInt32(shift))) }
        if let mid {
            var element = [UInt8(4 << 4 | (mid.utf8.count - 1))] + Array(mid.utf8)
            while element.count % 4 != 0 { element.append(0) }
            bytes += [0xBE, 0xDE, 0, UInt8(element.count / 4)] + element
        }
        return bytes + payload
    }

    private func rtcp(_ write: (inout RTCPWriter) -> Void) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_200, alignment: 4)
        defer { buffer.deallocate() }
        var writer = RTCPWriter(into: buffer)
        write(&writer)
        return Array(buffer[..<writer.count])
    }

    private func give(_ bytes: [UInt8], _ call: VirtualCall, to peer: VirtualPeer, isRTCP: Bool = false) {
        call.deliver(NetworkModel.Datagram(arrival: call.now, order: 0, isRTCP: isRTCP, bytes: bytes), to: peer)
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func randomAndMutatedPacketsDisturbNothing(seed: UInt64) {
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let call = VirtualCall(seed: seed)
        call.b.sendsVideo = true
        call.recordsTraffic = true
        call.run(for: .seconds(2 as Int64))
        for _ in 0..<3_000 {
            guard var victim = call.traffic.randomElement(using: &random) else { break }
            for _ in 0..<(1 + random.next() % 4) where !victim.bytes.isEmpty {
                let place = Int(random.next() % UInt64(min(victim.bytes.count, 40)))
                victim.bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            if random.next() % 4 == 0 { victim.bytes.removeLast(Int(random.next() % UInt64(victim.bytes.count + 1))) }
            if random.next() % 8 == 0 { victim.bytes = (0..<60).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            // Its own session's packets come back, or the other's: both are possible.
            call.deliver(victim, to: random.next() % 2 == 0 ? call.a : call.b)
            if random.next() % 50 == 0 { call.run(for: .milliseconds(5)) }
        }
        #expect(call.b.session.statistics.drops.reduce(0, +) > 500)
        // A minute later everything that was believed is outlived.
        let frames = call.b.frames.count
        call.run(for: .seconds(20 as Int64))
        #expect(call.b.frames.count > frames + 300)
    }

    @Test func aStormOfPictureLossReportsAsksForTwoKeyFramesASecond() {
        print("seed 61")
        let call = VirtualCall(seed: 61)
        call.run(for: .seconds(1 as Int64))
        let loss = rtcp { _ = $0.appendPictureLoss(sender: SSRC(5), media: SSRC(1_003)) }
        for _ in 0..<300 {
            for _ in 0..<20 { give(loss, call, to: call.a, isRTCP: true) }
            call.run(for: .milliseconds(10))
        }
        #expect(call.a.keyFrameRequests.count <= 7)
        #expect(call.a.keyFrameRequests.count >= 5)
        for (earlier, later) in zip(call.a.keyFrameRequests, call.a.keyFrameRequests.dropFirst()) {
            #expect(later - earlier >= .milliseconds(500))
        }
    }

    @Test func aStormOfNACKsIsAnsweredWithinABudget() {
        print("seed 62")
        let call = VirtualCall(seed: 62, startRate: .kilobitsPerSecond(300))
        call.run(for: .seconds(2 as Int64))
        let before = call.a.sentRTPCount
        let packets = call.a.session.statistics.lines[1].sent.packets
        for _ in 0..<100 {
            guard let history = call.a.session.lines.line(1)?.sender?.history.nextUnsent else { break }
            let newest = UInt16(truncatingIfNeeded: history)
            let all = (1...200).reversed().map { SequenceNumber(newest &- UInt16($0)) }
            give(
                rtcp { _ = $0.appendNACK(sender: SSRC(5), media: SSRC(1_003), missing: all) }, call, to: call.a,
                isRTCP: true)
            call.run(for: .milliseconds(20))
        }
        let statistics = call.a.session.statistics
        let repeated = statistics.lines[1].sent.retransmittedBytes
        #expect(repeated < 2 * 2 * 300_000 / 8)
        #expect(statistics.dropped(.retransmissionNotKept) > 0)
        #expect(call.a.sentRTPCount - before < 1_000)
        #expect(statistics.lines[1].sent.packets > packets)
    }

    @Test func onePacketIsNotSentAgainForEver() {
        print("seed 63")
        let call = VirtualCall(seed: 63)
        call.run(for: .seconds(1 as Int64))
        call.a.sendsVideo = false
        call.run(for: .milliseconds(100))
        guard let end = call.a.session.lines.line(1)?.sender?.history.nextUnsent else { return }
        let before = call.a.session.statistics.lines[1].sent.retransmittedPackets
        let nack = rtcp {
            _ = $0.appendNACK(
                sender: SSRC(5), media: SSRC(1_003), missing: [SequenceNumber(UInt16(truncatingIfNeeded: end - 1))])
        }
        for _ in 0..<60 {
            give(nack, call, to: call.a, isRTCP: true)
            call.run(for: .milliseconds(60))
        }
        #expect(call.a.session.statistics.lines[1].sent.retransmittedPackets - before == 10)
    }

    @Test func aStormOfSourcesIsBounded() {
        print("seed 64")
        let call = VirtualCall(seed: 64)
        call.run(for: .seconds(2 as Int64))
        for number: UInt32 in 0..<5_000 {
            give(rtp(ssrc: 50_000 + number, sequence: 1, payloadType: 96, mid: "1"), call, to: call.b)
            if number % 100 == 0 { call.run(for: .milliseconds(1)) }
        }
        let statistics = call.b.session.statistics
        #expect(statistics.lines[1].received.sourceChanges <= 2)
        #expect(statistics.dropped(.sourceChangedTooOften) > 4_900)
        #expect(call.b.session.sources.count <= SourceTable.learnedLimit)
        let frames = call.b.frames.count
        call.run(for: .seconds(3 as Int64))
        #expect(call.b.frames.count > frames + 30)
        #expect(call.b.brokenChains == 0)
    }

    @Test func packetsOfNobodyAreCounted() {
        let call = VirtualCall(seed: 65)
        give(rtp(ssrc: 1, sequence: 1, payloadType: 96, mid: "no"), call, to: call.b)
        give(rtp(ssrc: 2, sequence: 1, payloadType: 77, mid: nil), call, to: call.b)
        give(rtp(ssrc: 3, sequence: 1, payloadType: 77, mid: "1"), call, to: call.b)
        give(rtp(ssrc: 4, sequence: 1, payloadType: 97, mid: "1"), call, to: call.b)
        give([0x80, 0], call, to: call.b)
        give([0x80, 200, 0, 99], call, to: call.b, isRTCP: true)
        let statistics = call.b.session.statistics
        #expect(statistics.dropped(.unknownStream) == 2)
        #expect(statistics.dropped(.unknownPayloadType) == 1)
        #expect(statistics.dropped(.strayRetransmission) == 1)
        #expect(statistics.dropped(.malformedRTP) == 1)
        #expect(statistics.dropped(.malformedRTCP) == 1)
    }

    @Test func withoutMIDAPayloadTypeOfOneLineIsEnough() {
        let call = VirtualCall(seed: 66)
        give(rtp(ssrc: 9, sequence: 1, payloadType: 111, mid: nil), call, to: call.b)
        #expect(call.b.session.statistics.lines[0].received.packets == 1)
    }

    @Test func aLateRetransmissionStillMendsTheChain() {
        print("seed 67")
        let call = VirtualCall(seed: 67)
        call.run(for: .seconds(1 as Int64))
        // Everything is lost for 60 ms, and the answers to the requests come 400 ms later.
        call.toB.profile.loss = 1
        call.run(for: .milliseconds(60))
        call.toB.profile.loss = 0
        call.toA.profile.delay = .milliseconds(400)
        call.run(for: .seconds(3 as Int64))
        #expect(call.b.brokenChains == 0)
        #expect(call.b.longestStall < .milliseconds(700))
        #expect(call.b.session.statistics.lines[1].received.recoveredPackets > 0)
    }
}
