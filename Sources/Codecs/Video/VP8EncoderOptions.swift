import MediaTypes

/// How a `VP8Encoder` trades quality, work and robustness.
package struct VP8EncoderOptions: Equatable, Sendable {
    /// libvpx's speed in real-time mode, 0 (best) … 16 (fastest); nil chooses by the size of the picture.
    package var speed: Int?
    /// Later frames survive the loss of an earlier one better, at a few per cent of bitrate: only for transports without
    /// retransmission.
    package var isErrorResilient = false
    /// Drops frames when the rate control's buffer falls below this per cent of its target; 0 never drops.
    package var dropThresholdPercent = 30
    /// Largest key frame, in per cent of the bits of an average frame.
    package var largestKeyFramePercent = 450
    /// Quantizer range, 0 … 63: the lower end spares bits on still pictures, the upper limits how bad a frame gets.
    package var quantizers = 4...56

    package init() {}

    /// The speed for a picture of this size.
    ///
    /// Measured with libvpx 1.12 on moving VGA pictures; see `VP8Encoder` for the table.
    package func speed(for size: PictureSize) -> Int {
        if let speed { return min(max(speed, 0), 16) }
        let pixels = size.width * size.height
        if pixels <= 320 * 240 { return 4 }
        if pixels <= 640 * 480 { return 6 }
        return 8
    }
}
