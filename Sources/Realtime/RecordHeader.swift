import MediaTypes

/// What a record of a `RecordRing` says about its bytes; what the fields mean is settled by the two ends of the ring.
package struct RecordHeader: BitwiseCopyable, Sendable {
    /// What the record is, in the numbering of the ring's two ends.
    package var kind: UInt32
    package var flags: UInt32
    /// An unwrapped sequence number.
    package var sequence: Int64
    /// Unwrapped ticks of the media clock.
    package var timestamp: Int64
    /// When the record came into being: capture or arrival.
    package var time: MonotonicTime
    /// One more number: a line index, a level, an identifier.
    package var value: Int64

    package init(
        kind: UInt32, flags: UInt32 = 0, sequence: Int64 = 0, timestamp: Int64 = 0, time: MonotonicTime = .zero,
        value: Int64 = 0
    ) {
        self.kind = kind
        self.flags = flags
        self.sequence = sequence
        self.timestamp = timestamp
        self.time = time
        self.value = value
    }
}
