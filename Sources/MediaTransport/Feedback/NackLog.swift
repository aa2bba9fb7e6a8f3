import MediaTypes

/// The packets of one stream that are missing, in the order of their numbers.
///
/// Data only: the times in it are given and taken by `NackGenerator`. Sequence numbers are unwrapped.
struct NackLog: ~Copyable {
    /// One missing packet.
    struct Entry: BitwiseCopyable {
        var sequence: Int64
        var missingSince: MonotonicTime
        var lastRequest: MonotonicTime
        var requestCount: Int
    }

    private let entries: UnsafeMutablePointer<Entry>
    private let capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        entries.initialize(
            repeating: Entry(sequence: 0, missingSince: .zero, lastRequest: .zero, requestCount: 0),
            count: capacity)
    }

    deinit { entries.deallocate() }

    subscript(index: Int) -> Entry {
        get { entries[index] }
        set { entries[index] = newValue }
    }

    /// Adds numbers above all that are in the log.
    /// - Returns: whether there was room for all.
    mutating func append(_ missing: Range<Int64>, since time: MonotonicTime) -> Bool {
        guard missing.count <= capacity - count else { return false }
        var sequence = missing.lowerBound
        while sequence < missing.upperBound {
            entries[count] = Entry(sequence: sequence, missingSince: time, lastRequest: time, requestCount: 0)
            count += 1
            sequence += 1
        }
        return true
    }

    /// Takes out a packet that came; nil where it was not missing.
    mutating func remove(_ sequence: Int64) -> Entry? {
        let index = lowerBound(sequence)
        guard index < count, entries[index].sequence == sequence else { return nil }
        let entry = entries[index]
        close(index, index + 1)
        return entry
    }

    mutating func removeAt(_ index: Int) {
        close(index, index + 1)
    }

    /// Takes out every number below `sequence`.
    mutating func removeAll(below sequence: Int64) {
        close(0, lowerBound(sequence))
    }

    mutating func removeAll() {
        count = 0
    }

    private func lowerBound(_ sequence: Int64) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func close(_ from: Int, _ to: Int) {
        guard to > from else { return }
        for index in to..<max(count, to) { entries[index - (to - from)] = entries[index] }
        count -= to - from
    }
}
