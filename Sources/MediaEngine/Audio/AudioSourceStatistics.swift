import MediaTypes

/// What one remote stream's audio did so far.
package struct AudioSourceStatistics: Sendable {
    /// Everything that was played: decoded, recovered and concealed.
    package var playedSeconds: Double
    /// Invented by the decoder for packets that never came.
    package var concealedSeconds: Double
    /// Taken from the redundancy in a later packet.
    package var recoveredSeconds: Double
    package var decodeErrorCount: Int
    package var droppedPacketCount: Int
    /// 0 (loudest) … 127 (silence), as RFC 6464.
    package var levelDBov: Int
    package var targetDelayMilliseconds: Int
    package var firstPlayedTime: MonotonicTime?
}
