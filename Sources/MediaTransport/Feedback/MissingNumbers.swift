import MediaTypes

/// The sequence numbers that one NACK asks for; the same memory for every NACK.
struct MissingNumbers: Sequence {
    /// Numbers in one NACK.
    static let limit = 256

    private var numbers: [SequenceNumber] = []

    init() {
        numbers.reserveCapacity(Self.limit)
    }

    var count: Int { numbers.count }
    var isFull: Bool { numbers.count >= Self.limit }

    mutating func append(_ number: SequenceNumber) {
        numbers.append(number)
    }

    mutating func removeAll() {
        numbers.removeAll(keepingCapacity: true)
    }

    func makeIterator() -> Iterator { Iterator(numbers: numbers) }

    struct Iterator: IteratorProtocol {
        fileprivate let numbers: [SequenceNumber]
        private var index = 0

        fileprivate init(numbers: [SequenceNumber]) {
            self.numbers = numbers
        }

        mutating func next() -> SequenceNumber? {
            guard index < numbers.count else { return nil }
            index += 1
            return numbers[index - 1]
        }
    }
}
