import Glibc
import MediaTypes
import Testing

@testable import Realtime

@Suite(.enabled(if: AllocationCounter.isActive)) struct AllocationTests {
    @Test func anAllocationIsCounted() {
        #expect(AllocationCounter.count { free(malloc(100)) } == 1)
        #expect(AllocationCounter.count { _ = MonotonicClock.now() } == 0)
    }

    @Test func ringsAndMailboxesAllocateNothing() throws {
        let signal = try EventSignal()
        let records = RecordRing(capacityBytes: 4_096, readySignal: signal)
        let samples = SampleRing(capacity: 2_048)
        let mailbox = PictureMailbox(size: PictureSize(width: 64, height: 64), readySignal: signal)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 700, alignment: 8)
        let period = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 480)
        defer {
            bytes.deallocate()
            period.deallocate()
        }
        bytes.initializeMemory(as: UInt8.self, repeating: 1)
        period.initialize(repeating: 0)
        func work() {
            for number in 0..<200 {
                records.write(RecordHeader(kind: 0, sequence: Int64(number)), UnsafeRawBufferPointer(bytes))
                if let record = records.read(), record.payload.count == 700 { records.consume() }
                samples.write(UnsafeBufferPointer(period))
                _ = samples.read(into: period)
                mailbox.back.number = Int64(number)
                mailbox.publish()
                _ = mailbox.takeLatest()
                _ = signal.wait(timeoutMilliseconds: 0)
            }
        }
        work()
        #expect(AllocationCounter.count(in: work) == 0)
    }
}
