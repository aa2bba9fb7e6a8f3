import MediaTypes

/// What an `AudioJitterBuffer` did since it was made.
///
/// - Units: frames are samples at 48 kHz.
package struct AudioJitterStatistics: Sendable, BitwiseCopyable, Equatable {
    /// Frames asked for while the stream was being played (silence before the start and in DTX gaps excluded).
    package var playedFrames: Int64 = 0
    /// Frames that the decoder had to invent.
    package var concealedFrames: Int64 = 0
    /// Frames rebuilt from the redundancy of the following packet.
    package var recoveredFrames: Int64 = 0
    /// Frames of silence given before the start, while starved, and in DTX gaps.
    package var silentFrames: Int64 = 0
    /// Frames left out to shorten the delay.
    package var acceleratedFrames: Int64 = 0
    /// Frames put in to lengthen the delay.
    package var expandedFrames: Int64 = 0
    /// Packets taken in.
    package var insertedPackets: Int64 = 0
    /// Packets that came after their time of playing.
    package var latePackets: Int64 = 0
    package var duplicatePackets: Int64 = 0
    /// Packets that were empty or longer than any Opus packet.
    package var invalidPackets: Int64 = 0
    /// Packets thrown away because every slot was taken.
    package var overflowedPackets: Int64 = 0
    /// How often playing ran dry and began again.
    package var restarts: Int64 = 0
    /// The delay that the buffer aims at, and the one it has.
    package var targetDelay = Interval.zero
    package var currentDelay = Interval.zero

    package init() {}
}
