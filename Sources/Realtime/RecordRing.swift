import MediaTypes
import Synchronization

/// Carries records of bytes (packets, frames, events) from one thread to one other, in order.
///
/// ```
/// memory   [len|header|payload…][len|header|payload…]      [skip]      each record is contiguous, 8-byte aligned
///           ^ read index (consumer)                  ^ write index (producer)
/// ```
/// - Thread: one producer (`write`), one consumer (`read`, `consume`); any thread may read `droppedCount`.
///   No allocation, no lock, no waiting: both sides are allowed on real-time threads.
/// - Errors: a full ring refuses the record and counts it.
// @unchecked: the producer's side is written by the producer alone, the consumer's by the consumer alone; bytes pass
// over by release and acquire of the two indices.
package final class RecordRing: @unchecked Sendable {
    private struct ProducerSide {
        var writeIndex = 0
        var knownReadIndex = 0
    }
    private struct ConsumerSide {
        var readIndex = 0
        var knownWriteIndex = 0
        /// Bytes that `consume` lets go of: the record that `read` returned last.
        var recordBytes = 0
    }

    private static let lengthBytes = 8
    private static let prefixBytes = lengthBytes + MemoryLayout<RecordHeader>.stride
    /// Length word that sends the consumer to the start of the memory.
    private static let skip = -1

    /// Fires after each record, when given.
    package let readySignal: EventSignal?
    private let capacity: Int
    private let memory: UnsafeMutableRawPointer
    private let producer: UnsafeMutablePointer<ProducerSide>
    private let consumer: UnsafeMutablePointer<ConsumerSide>
    private let padding0 = CacheLinePadding()
    private let writeIndex = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)
    private let padding1 = CacheLinePadding()
    private let readIndex = Atomic<Int>(0)
    private let padding2 = CacheLinePadding()

    /// - Parameter capacityBytes: rounded up to a power of two; a record takes its payload and 48 bytes, and at most
    ///   half of the capacity.
    package init(capacityBytes: Int, readySignal: EventSignal? = nil) {
        precondition(capacityBytes > 0, "a ring has room")
        capacity = RecordRing.powerOfTwo(atLeast: max(capacityBytes, 4 * RecordRing.prefixBytes))
        self.readySignal = readySignal
        memory = .allocate(byteCount: capacity, alignment: 128)
        // One block each and a block's alignment of two cache lines: the sides never share one.
        producer = RecordRing.allocateSide(ProducerSide())
        consumer = RecordRing.allocateSide(ConsumerSide())
    }

    deinit {
        memory.deallocate()
        UnsafeMutableRawPointer(producer).deallocate()
        UnsafeMutableRawPointer(consumer).deallocate()
    }

    /// Records that found the ring full.
    package var droppedCount: Int { dropped.load(ordering: .relaxed) }

    /// Puts a record in, copying its bytes.
    /// - Returns: false when the ring is full (or the record is longer than half of it): it is dropped and counted.
    /// - Thread: the producer.
    @discardableResult
    package func write(_ header: RecordHeader, _ payload: UnsafeRawBufferPointer) -> Bool {
        let recordBytes = (RecordRing.prefixBytes + payload.count + 7) & ~7
        var position = producer.pointee.writeIndex & (capacity - 1)
        let bytesToEnd = capacity - position
        let skipped = recordBytes > bytesToEnd ? bytesToEnd : 0
        guard recordBytes <= capacity / 2, hasRoom(for: skipped + recordBytes) else {
            dropped.wrappingAdd(1, ordering: .relaxed)
            return false
        }
        if skipped > 0 {
            memory.storeBytes(of: RecordRing.skip, toByteOffset: position, as: Int.self)
            position = 0
        }
        memory.storeBytes(of: payload.count, toByteOffset: position, as: Int.self)
        memory.storeBytes(of: header, toByteOffset: position + RecordRing.lengthBytes, as: RecordHeader.self)
        if let bytes = payload.baseAddress {
            memory.advanced(by: position + RecordRing.prefixBytes).copyMemory(from: bytes, byteCount: payload.count)
        }
        producer.pointee.writeIndex += skipped + recordBytes
        writeIndex.store(producer.pointee.writeIndex, ordering: .releasing)
        readySignal?.signal()
        return true
    }

    /// The oldest record, which stays in the ring until `consume`; nil when the ring is empty.
    /// - Thread: the consumer. The bytes are valid until `consume`.
    package func read() -> (header: RecordHeader, payload: UnsafeRawBufferPointer)? {
        guard hasRecord() else { return nil }
        var position = consumer.pointee.readIndex & (capacity - 1)
        var payloadBytes = memory.load(fromByteOffset: position, as: Int.self)
        if payloadBytes == RecordRing.skip {
            consumer.pointee.readIndex += capacity - position
            // A skip is always published together with the record behind it.
            position = 0
            payloadBytes = memory.load(fromByteOffset: 0, as: Int.self)
        }
        consumer.pointee.recordBytes = (RecordRing.prefixBytes + payloadBytes + 7) & ~7
        let header = memory.load(fromByteOffset: position + RecordRing.lengthBytes, as: RecordHeader.self)
        let payload = UnsafeRawBufferPointer(
            start: memory.advanced(by: position + RecordRing.prefixBytes), count: payloadBytes)
        return (header, payload)
    }

    /// Lets go of the record that `read` returned; without one it does nothing.
    /// - Thread: the consumer.
    package func consume() {
        guard consumer.pointee.recordBytes > 0 else { return }
        consumer.pointee.readIndex += consumer.pointee.recordBytes
        consumer.pointee.recordBytes = 0
        readIndex.store(consumer.pointee.readIndex, ordering: .releasing)
    }

    private func hasRoom(for bytes: Int) -> Bool {
        if producer.pointee.writeIndex + bytes - producer.pointee.knownReadIndex <= capacity { return true }
        producer.pointee.knownReadIndex = readIndex.load(ordering: .acquiring)
        return producer.pointee.writeIndex + bytes - producer.pointee.knownReadIndex <= capacity
    }

    private func hasRecord() -> Bool {
        if consumer.pointee.readIndex != consumer.pointee.knownWriteIndex { return true }
        consumer.pointee.knownWriteIndex = writeIndex.load(ordering: .acquiring)
        return consumer.pointee.readIndex != consumer.pointee.knownWriteIndex
    }

    private static func allocateSide<Side>(_ side: Side) -> UnsafeMutablePointer<Side> {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
        return memory.initializeMemory(as: Side.self, to: side)
    }

    static func powerOfTwo(atLeast count: Int) -> Int {
        var result = 1
        while result < count { result *= 2 }
        return result
    }
}
