import MediaTypes
import RTPWire

/// When packets with a transport-wide sequence number arrived, for the feedback about them.
///
/// Numbers are unwrapped.
struct ArrivalLog: ~Copyable {
    static let windowSize: Int64 = 2_048
    /// A packet that comes late is reported again together with what follows it, if not older than this.
    static let lateLimit: Int64 = 256

    /// Nanoseconds + 1; 0 for "has not come".
    private let arrivals: UnsafeMutablePointer<Int64>
    /// The first packet that the next feedback reports; nil before the first arrival.
    private(set) var base: Int64?
    private(set) var end: Int64 = 0
    private(set) var hasNews = false

    init() {
        arrivals = .allocate(capacity: Int(Self.windowSize))
        arrivals.initialize(repeating: 0, count: Int(Self.windowSize))
    }

    deinit { arrivals.deallocate() }

    /// Packets that the next feedback covers.
    var pendingCount: Int { base.map { Int(end - $0) } ?? 0 }

    mutating func note(_ number: Int64, at time: MonotonicTime) {
        guard let start = base else {
            base = number
            end = number + 1
            set(number, time)
            hasNews = true
            return
        }
        if number >= end {
            if number - end >= Self.windowSize {
                for index in 0..<Int(Self.windowSize) { arrivals[index] = 0 }
            } else {
                var missing = end
                while missing < number {
                    arrivals[place(missing)] = 0
                    missing += 1
                }
            }
            end = number + 1
            base = max(start, end - Self.windowSize)
        } else {
            guard number >= end - Self.windowSize, arrivals[place(number)] == 0 else { return }
            if number < start {
                guard start - number <= Self.lateLimit else { return }
                base = number
            }
        }
        set(number, time)
        hasNews = true
    }

    func arrival(_ number: Int64) -> MonotonicTime? {
        let value = arrivals[place(number)]
        return value == 0 ? nil : MonotonicTime(nanoseconds: value - 1)
    }

    /// `count` packets from `base` on were reported.
    mutating func noteReported(_ count: Int) {
        guard let start = base else { return }
        base = start + Int64(count)
        hasNews = base != end
    }

    /// Nothing that could be reported is left.
    mutating func noteAllReported() {
        base = base.map { _ in end }
        hasNews = false
    }

    private mutating func set(_ number: Int64, _ time: MonotonicTime) {
        arrivals[place(number)] = time.nanoseconds + 1
    }

    private func place(_ number: Int64) -> Int { Int(number & (Self.windowSize - 1)) }
}
