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
    /// Milliseconds of one x86 core a frame, and luma PSNR, of a moving noisy scene (libvpx 1.12):
    /// ```
    /// speed                      2             4             6             8            16
    /// 320x240   300 kbit/s   5.6 38.9 dB   2.2 37.8 dB   1.5 36.7 dB   1.3 36.7 dB   1.1 36.9 dB
    /// 640x480  1000 kbit/s  14.5 38.9 dB   4.1 37.8 dB   4.1 37.0 dB   3.5 36.8 dB   2.8 37.1 dB
    /// 1280x720 1700 kbit/s  37.7 36.4 dB  21.3 34.6 dB  10.3 34.5 dB  11.0 34.5 dB   9.7 34.3 dB
    /// ```
    /// On slow boards set a higher one: real cameras lose 1 dB at 16 and cost a third.
    package func speed(for size: PictureSize) -> Int {
        if let speed { return min(max(speed, 0), 16) }
        let pixels = size.width * size.height
        if pixels <= 320 * 240 { return 4 }
        if pixels <= 640 * 480 { return 6 }
        return 8
    }
}
