import MediaTypes

/// Lets at most one of the far side's key frame requests through in 500 ms, and forgets those that a key frame has already
/// answered.
struct KeyFrameRequestLimiter: BitwiseCopyable {
    static let shortestDistance = Interval.milliseconds(500)

    private var isPending = false
    private var lastReported: MonotonicTime?
    private var lastCommand: UInt8?

    init() {}

    mutating func noteRequest() {
        isPending = true
    }

    /// A FIR; its repetitions carry the same command number (RFC 5104 §4.3.1.2).
    mutating func noteCommand(_ number: UInt8) {
        guard number != lastCommand else { return }
        lastCommand = number
        isPending = true
    }

    /// A key frame was sent: it answers what was asked for so far.
    mutating func noteKeyFrame() {
        isPending = false
    }

    var nextDeadline: MonotonicTime {
        guard isPending else { return .distantFuture }
        return lastReported.map { $0 + Self.shortestDistance } ?? .zero
    }

    /// Whether a request is to be reported now.
    mutating func takeDue(at time: MonotonicTime) -> Bool {
        guard nextDeadline <= time else { return false }
        isPending = false
        lastReported = time
        return true
    }
}
