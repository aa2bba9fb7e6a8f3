/// When the content of a packet was captured, for delay and lip-sync across mixers.
package struct AbsoluteCaptureTime: Hashable, Sendable, BitwiseCopyable {
    /// On the clock of the system that captured it.
    package var captureTime: NTPTime
    /// Capture clock minus the sender's clock, in 2⁻³² s; nil where the sender says nothing.
    package var clockOffset: Int64?

    package init(captureTime: NTPTime, clockOffset: Int64? = nil) {
        self.captureTime = captureTime
        self.clockOffset = clockOffset
    }
}
