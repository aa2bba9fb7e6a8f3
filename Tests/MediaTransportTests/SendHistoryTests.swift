import MediaTypes
import Testing

@testable import MediaTransport

@Suite struct SendHistoryTests {
    private func append(_ history: inout SendHistory, byteCount: Int, at time: MonotonicTime = .zero) -> Bool {
        var packet = SendHistory.Packet()
        packet.submission = time
        let mark = UInt8(truncatingIfNeeded: history.end)
        return history.append(
            packet, byteCount: byteCount, fill: { $0.initializeMemory(as: UInt8.self, repeating: mark) })
    }

    private func isIntact(_ history: borrowing SendHistory, _ sequence: Int64) -> Bool {
        guard let packet = history.sentPacket(sequence) else { return false }
        return history.payload(packet).allSatisfy { $0 == UInt8(truncatingIfNeeded: sequence) }
    }

    @Test func packetsLeaveInOrderAndStayAnswerable() {
        var history = SendHistory(
            firstSequence: 65_530, byteCapacity: 1_024, byteLimit: 16_384, packetCapacity: 4, packetLimit: 32)
        for _ in 0..<10 { check(append(&history, byteCount: 100)) }
        check(history.sentPacket(65_530) == nil)
        for expected: Int64 in 65_530..<65_540 { check(history.sendNext(at: .zero)?.sequence == expected) }
        check(history.sendNext(at: .zero) == nil)
        for sequence: Int64 in 65_530..<65_540 { check(isIntact(history, sequence)) }
        check(history.sentPacket(65_540) == nil && history.sentPacket(65_529) == nil)
    }

    @Test func sentPacketsMakeRoomAndWaitingOnesDoNot() {
        var history = SendHistory(
            firstSequence: 0, byteCapacity: 1_024, byteLimit: 4_096, packetCapacity: 8, packetLimit: 64)
        var count = 0
        while append(&history, byteCount: 500) { count += 1 }
        check(count == 8)
        check(history.sendNext(at: .zero)?.sequence == 0)
        check(append(&history, byteCount: 500))
        check(history.sentPacket(0) == nil)
        check(!append(&history, byteCount: 500))
        check(history.unsentBytes == 4_000)
    }

    @Test func theContentSurvivesGrowthAndWrapping() {
        var random = SeededRandom(seed: 5)
        print("seed 5")
        var history = SendHistory(
            firstSequence: 1_000, byteCapacity: 1_024, byteLimit: 65_536, packetCapacity: 4, packetLimit: 128)
        for round in 0..<5_000 {
            let time = MonotonicTime.zero + .milliseconds(Int64(round))
            if random.next() % 3 != 0 { _ = append(&history, byteCount: 1 + Int(random.next() % 1_200), at: time) }
            if random.next() % 2 == 0 { _ = history.sendNext(at: time) }
            if random.next() % 50 == 0 { history.forget(submittedBefore: time - .milliseconds(30)) }
            if random.next() % 10 == 0 {
                for sequence in history.first..<history.nextUnsent { check(isIntact(history, sequence)) }
            }
            check(history.memoryByteCount <= 65_536 + 128 * 80)
        }
    }

    @Test func oldPacketsAreForgotten() {
        var history = SendHistory(
            firstSequence: 0, byteCapacity: 1_024, byteLimit: 4_096, packetCapacity: 8, packetLimit: 64)
        for time: Int64 in 0..<4 { _ = append(&history, byteCount: 10, at: .zero + .milliseconds(time)) }
        for _ in 0..<3 { _ = history.sendNext(at: .zero) }
        history.forget(submittedBefore: .zero + .milliseconds(10))
        check(history.first == 3)
        check(history.hasUnsent)
    }
}
