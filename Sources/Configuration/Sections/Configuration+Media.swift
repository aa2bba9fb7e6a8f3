import MediaTypes

extension Configuration {
    /// Limits of the published video.
    package struct Video: Hashable, Sendable {
        package var maximumBitrate = Bitrate(bitsPerSecond: 1_000_000)
        package var minimumBitrate = Bitrate(bitsPerSecond: 100_000)
        package var startBitrate = Bitrate(bitsPerSecond: 500_000)

        package init() {}
    }

    /// How the published audio is coded.
    package struct Audio: Hashable, Sendable {
        package var bitrate = Bitrate(bitsPerSecond: 32_000)
        /// In-band forward error correction.
        package var usesFEC = true
        /// Discontinuous transmission: next to nothing is sent in silence.
        package var usesDTX = false

        package init() {}
    }
}
