import MediaTypes

/// What an endpoint may choose about the descriptions it writes.
package struct JSEPOptions: Hashable, Sendable {
    /// Asks the far side to stop sending in silence (Opus `usedtx`).
    package var usesDiscontinuousTransmission = false
    /// The most that we want to receive as audio (`maxaveragebitrate`), 6 … 510 kbit/s.
    package var maximumAudioBitrate: Bitrate?
    /// The most that we want to receive per video line (`b=TIAS`).
    package var maximumVideoBitrate: Bitrate?

    package init() {}
}
