import Synchronization

/// Carries 16-bit samples from one thread to one other.
///
/// - Units: samples; of mono audio a sample is a frame.
/// - Thread: one producer (`write`), one consumer (`read`, `discard`); the counts may be read by both. No allocation,
///   no lock, no waiting: both sides are allowed on real-time threads.
// @unchecked: samples pass over by release and acquire of the two indices; each index has one writer.
package final class SampleRing: @unchecked Sendable {
    private let capacity: Int
    private let samples: UnsafeMutablePointer<Int16>
    private let padding0 = CacheLinePadding()
    private let writeIndex = Atomic<Int>(0)
    private let padding1 = CacheLinePadding()
    private let readIndex = Atomic<Int>(0)
    private let padding2 = CacheLinePadding()

    /// - Parameter capacity: samples, rounded up to a power of two.
    package init(capacity: Int) {
        precondition(capacity > 0, "a ring has room")
        self.capacity = RecordRing.powerOfTwo(atLeast: capacity)
        samples = .allocate(capacity: self.capacity)
        samples.initialize(repeating: 0, count: self.capacity)
    }

    deinit {
        samples.deallocate()
    }

    /// Samples that `read` would return now.
    package var availableToRead: Int {
        // The read index first: the other order could see more samples than were ever in the ring.
        let start = readIndex.load(ordering: .acquiring)
        return writeIndex.load(ordering: .acquiring) - start
    }

    /// Samples that `write` would take now.
    package var availableToWrite: Int { capacity - availableToRead }

    /// Puts in as many samples as there is room for.
    /// - Returns: how many were taken, from the front.
    /// - Thread: the producer.
    @discardableResult
    package func write(_ source: UnsafeBufferPointer<Int16>) -> Int {
        let end = writeIndex.load(ordering: .relaxed)
        let count = min(source.count, capacity - (end - readIndex.load(ordering: .acquiring)))
        guard count > 0, let base = source.baseAddress else { return 0 }
        let position = end & (capacity - 1)
        let first = min(count, capacity - position)
        samples.advanced(by: position).update(from: base, count: first)
        samples.update(from: base.advanced(by: first), count: count - first)
        writeIndex.store(end + count, ordering: .releasing)
        return count
    }

    /// Takes out as many samples as there are and fit.
    /// - Returns: how many were put at the front of the target; the rest of it is left as it was.
    /// - Thread: the consumer.
    package func read(into target: UnsafeMutableBufferPointer<Int16>) -> Int {
        let start = readIndex.load(ordering: .relaxed)
        let count = min(target.count, writeIndex.load(ordering: .acquiring) - start)
        guard count > 0, let base = target.baseAddress else { return 0 }
        let position = start & (capacity - 1)
        let first = min(count, capacity - position)
        base.update(from: samples.advanced(by: position), count: first)
        base.advanced(by: first).update(from: samples, count: count - first)
        readIndex.store(start + count, ordering: .releasing)
        return count
    }

    /// Throws away the oldest samples, to catch up.
    /// - Returns: how many were thrown away.
    /// - Thread: the consumer.
    @discardableResult
    package func discard(_ count: Int) -> Int {
        let start = readIndex.load(ordering: .relaxed)
        let discarded = max(0, min(count, writeIndex.load(ordering: .acquiring) - start))
        readIndex.store(start + discarded, ordering: .releasing)
        return discarded
    }
}
