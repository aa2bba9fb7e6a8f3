import Glibc
import MediaTypes
import Testing

@testable import Realtime

@Suite struct RecordRingTests {
    @Test func recordsComeOutInOrderWithHeaderAndBytes() throws {
        let ring = RecordRing(capacityBytes: 4_096)
        #expect(ring.read() == nil)
        for number in 0..<5 {
            let header = RecordHeader(
                kind: 7, flags: UInt32(number), sequence: Int64(number), timestamp: -1,
                time: MonotonicTime(nanoseconds: 99), value: .min)
            #expect(ring.write(header, bytes: [UInt8](repeating: UInt8(number), count: number)))
        }
        for number in 0..<5 {
            let record = try #require(ring.read())
            #expect(record.header.kind == 7 && record.header.flags == UInt32(number))
            #expect(record.header.sequence == Int64(number) && record.header.timestamp == -1)
            #expect(record.header.time.nanoseconds == 99 && record.header.value == .min)
            #expect(Array(record.payload) == [UInt8](repeating: UInt8(number), count: number))
            ring.consume()
        }
        #expect(ring.read() == nil)
    }

    @Test func aRecordStaysUntilItIsConsumed() throws {
        let ring = RecordRing(capacityBytes: 1_024)
        ring.consume()
        ring.write(RecordHeader(kind: 1), bytes: [1])
        ring.write(RecordHeader(kind: 2), bytes: [2])
        #expect(ring.read()?.header.kind == 1)
        #expect(ring.read()?.header.kind == 1)
        ring.consume()
        ring.consume()
        #expect(ring.read()?.header.kind == 2)
    }

    @Test func aFullRingRefusesAndCountsAndGoesOnWhenThereIsRoom() {
        let ring = RecordRing(capacityBytes: 1_024)
        var written = 0
        while ring.write(RecordHeader(kind: 0, sequence: Int64(written)), bytes: [UInt8](repeating: 1, count: 50)) {
            written += 1
        }
        // 48 bytes of prefix and 50 of payload, rounded up to 104.
        #expect(written == 1_024 / 104)
        #expect(ring.droppedCount == 1)
        _ = ring.read()
        ring.consume()
        _ = ring.read()
        ring.consume()
        #expect(ring.write(RecordHeader(kind: 0), bytes: [UInt8](repeating: 1, count: 50)))
    }

    @Test func aRecordLongerThanHalfTheRingIsRefused() {
        let ring = RecordRing(capacityBytes: 1_024)
        #expect(!ring.write(RecordHeader(kind: 0), bytes: [UInt8](repeating: 1, count: 500)))
        #expect(ring.write(RecordHeader(kind: 0), bytes: [UInt8](repeating: 1, count: 464)))
        #expect(ring.droppedCount == 1)
    }

    @Test func everyLengthSurvivesTheWrapAround() throws {
        let ring = RecordRing(capacityBytes: 2_048)
        for number in 0..<5_000 {
            let length = (number * 37) % 900
            #expect(ring.write(RecordHeader(kind: 0), bytes: [UInt8](repeating: UInt8(number & 255), count: length)))
            let record = try #require(ring.read())
            #expect(record.payload.count == length)
            #expect(record.payload.allSatisfy { $0 == UInt8(number & 255) })
            ring.consume()
        }
        #expect(ring.droppedCount == 0)
    }

    @Test(.timeLimit(.minutes(5))) func twoThreadsPassEveryRecordOn() throws {
        let signal = try EventSignal()
        let ring = RecordRing(capacityBytes: 8_192, readySignal: signal)
        let count = 50_000
        let producer = try RealtimeThread(name: "test-producer") { _ in
            withUnsafeTemporaryAllocation(byteCount: 300, alignment: 8) { bytes in
                var number = 0
                while number < count {
                    let length = number % 300
                    let slice = UnsafeMutableRawBufferPointer(rebasing: bytes[0..<length])
                    slice.initializeMemory(as: UInt8.self, repeating: UInt8(number & 255))
                    if ring.write(RecordHeader(kind: 1, sequence: Int64(number)), UnsafeRawBufferPointer(slice)) {
                        number += 1
                    } else {
                        sched_yield()
                    }
                }
            }
        }
        var received = 0
        var isRight = true
        while received < count {
            guard let record = ring.read() else {
                _ = signal.wait(timeoutMilliseconds: 10)
                continue
            }
            isRight = isRight && record.header.sequence == Int64(received) && record.payload.count == received % 300
            isRight = isRight && record.payload.allSatisfy { $0 == UInt8(received & 255) }
            ring.consume()
            received += 1
        }
        producer.stopAndJoin()
        #expect(isRight)
    }
}

extension RecordRing {
    @discardableResult
    func write(_ header: RecordHeader, bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { write(header, $0) }
    }
}
