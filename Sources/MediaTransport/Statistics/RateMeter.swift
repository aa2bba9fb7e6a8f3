import MediaTypes

/// Measures a rate over the last second in twenty steps.
struct RateMeter: ~Copyable {
    static let stepLength = Interval.milliseconds(50)
    static let stepCount: Int64 = 20

    private let steps: UnsafeMutablePointer<Int>
    private var newestStep: Int64 = 0
    private var firstStep: Int64?
    private var sum = 0

    init() {
        steps = .allocate(capacity: Int(Self.stepCount))
        steps.initialize(repeating: 0, count: Int(Self.stepCount))
    }

    deinit { steps.deallocate() }

    /// - Parameter time: on any clock; earlier than the newest by more than the window is ignored.
    mutating func add(byteCount: Int, at time: MonotonicTime) {
        let step = move(to: time)
        guard step > newestStep - Self.stepCount else { return }
        steps[slot(step)] += byteCount
        sum += byteCount
    }

    /// Over the last second, or over the time since the first bytes if that is shorter (but at least 200 ms).
    mutating func rate(at time: MonotonicTime) -> Bitrate {
        _ = move(to: time)
        guard let firstStep else { return Bitrate(bitsPerSecond: 0) }
        let covered = min(max(newestStep - firstStep + 1, 4), Self.stepCount)
        return Bitrate(bitsPerSecond: sum * 8 * 1_000 / Int(covered * Self.stepLength.milliseconds))
    }

    mutating func reset() {
        steps.update(repeating: 0, count: Int(Self.stepCount))
        firstStep = nil
        sum = 0
    }

    private mutating func move(to time: MonotonicTime) -> Int64 {
        let step = time.nanoseconds / Self.stepLength.nanoseconds
        guard firstStep != nil else {
            firstStep = step
            newestStep = step
            return step
        }
        if step - newestStep >= Self.stepCount {
            reset()
            firstStep = step
            newestStep = step
        }
        while newestStep < step {
            newestStep += 1
            sum -= steps[slot(newestStep)]
            steps[slot(newestStep)] = 0
        }
        return step
    }

    private func slot(_ step: Int64) -> Int {
        let rest = step % Self.stepCount
        return Int(rest < 0 ? rest + Self.stepCount : rest)
    }
}
