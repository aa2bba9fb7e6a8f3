import MediaTypes

/// The first numbers of a sent stream: random, so that nobody can guess them (RFC 3550 §5.1).
struct StreamStart: BitwiseCopyable {
    var sequence: UInt16
    var rtxSequence: UInt16
    var timestampOffset: UInt32
    var pictureID: UInt16

    init(sequence: UInt16, rtxSequence: UInt16, timestampOffset: UInt32, pictureID: UInt16) {
        self.sequence = sequence
        self.rtxSequence = rtxSequence
        self.timestampOffset = timestampOffset
        self.pictureID = pictureID & 0x7FFF
    }

    init(random: inout SeededRandom) {
        self.init(
            sequence: UInt16(truncatingIfNeeded: random.next()), rtxSequence: UInt16(truncatingIfNeeded: random.next()),
            timestampOffset: UInt32(truncatingIfNeeded: random.next()),
            pictureID: UInt16(truncatingIfNeeded: random.next()))
    }
}
