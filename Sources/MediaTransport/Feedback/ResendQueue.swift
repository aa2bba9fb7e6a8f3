/// Packets that the far side asked for again, in that order; a NACK storm fills it, and no more.
struct ResendQueue: ~Copyable {
    struct Resend: BitwiseCopyable {
        /// The media line's index.
        var line: Int
        /// Unwrapped.
        var sequence: Int64
    }

    static let capacity = 256

    private let ring: UnsafeMutablePointer<Resend>
    private var head = 0
    private(set) var count = 0

    init() {
        ring = .allocate(capacity: Self.capacity)
        ring.initialize(repeating: Resend(line: 0, sequence: 0), count: Self.capacity)
    }

    deinit { ring.deallocate() }

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count == Self.capacity }

    mutating func append(_ resend: Resend) {
        precondition(!isFull, "the caller looks first")
        ring[(head + count) % Self.capacity] = resend
        count += 1
    }

    mutating func removeFirst() -> Resend? {
        guard count > 0 else { return nil }
        defer {
            head = (head + 1) % Self.capacity
            count -= 1
        }
        return ring[head]
    }

    mutating func removeAll() {
        count = 0
    }
}
