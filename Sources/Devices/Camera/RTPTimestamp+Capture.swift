import MediaTypes

extension RTPTimestamp {
    /// The 90 kHz timestamp of a picture that was captured at `time`: the same for all cameras, so that a switch of
    /// cameras keeps counting.
    static func ofCapture(at time: MonotonicTime) -> RTPTimestamp {
        // Seconds and the rest apart, as nanoseconds times 90000 leave 64 bits after a day.
        let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return RTPTimestamp(UInt32(truncatingIfNeeded: seconds * 90_000 + rest * 9 / 100_000))
    }
}
