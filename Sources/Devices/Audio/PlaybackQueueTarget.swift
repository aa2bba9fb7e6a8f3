import MediaTypes

/// How many frames are kept queued in front of the speaker: as few as the machine's punctuality allows.
///
/// Three interruptions within ten seconds make it a step longer, a minute without one makes it a step shorter.
struct PlaybackQueueTarget: Sendable, BitwiseCopyable {
    private let shortest: Int
    private let longest: Int
    private let step: Int
    private(set) var frames: Int
    private var countedSince = MonotonicTime.zero
    private var count = 0
    private var quietSince: MonotonicTime?

    /// - Parameters: frames of the device's rate.
    init(shortest: Int, longest: Int, step: Int) {
        self.shortest = min(shortest, longest)
        self.longest = longest
        self.step = step
        frames = self.shortest
    }

    /// The speaker ran dry.
    mutating func interrupted(at now: MonotonicTime) {
        if count == 0 || now - countedSince > .seconds(Int64(10)) {
            countedSince = now
            count = 0
        }
        count += 1
        quietSince = now
        if count >= 3 {
            frames = min(longest, frames + step)
            count = 0
        }
    }

    /// To be called with each period.
    mutating func advance(to now: MonotonicTime) {
        guard frames > shortest, let quietSince, now - quietSince > .seconds(Int64(60)) else { return }
        frames = max(shortest, frames - step)
        self.quietSince = now
    }
}
