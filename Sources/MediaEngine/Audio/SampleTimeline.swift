import MediaTypes

/// Gives each audio frame its timestamp: samples are counted while sound runs, and after a pause the count is where the
/// clock says it would be, so that a receiver sees a gap and never a step backwards.
struct SampleTimeline: Sendable, BitwiseCopyable {
    private static let samplesPerMillisecond: Int64 = 48

    /// What the next frame gets, in samples of 48 kHz since the first frame.
    private(set) var timestamp: Int64 = 0
    private var origin: MonotonicTime?

    /// The sound begins (again) with a sample that was captured at `time`.
    mutating func resume(at time: MonotonicTime) {
        guard let origin else {
            self.origin = time
            return
        }
        let elapsed = (time - origin).nanoseconds / 1_000 * SampleTimeline.samplesPerMillisecond / 1_000
        // A device whose clock is fast is ahead: it waits for nobody, but goes not back either.
        timestamp = max(timestamp, elapsed)
    }

    /// A frame of so many samples is done.
    mutating func advance(by samples: Int) {
        timestamp += Int64(samples)
    }
}
