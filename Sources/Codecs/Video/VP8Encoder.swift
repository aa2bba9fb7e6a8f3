import CCodecShims
import CVPX
import MediaTypes

/// Compresses the pictures of one camera for all peers of a call: VP8, real time, constant bitrate, one thread.
///
/// Key frames come only at the start, on request and after a change of size, so that no bit is spent on what nobody
/// asked for.
/// - Thread: confined to one (`cb-venc`); `encode` allocates nothing while the size stays.
package final class VP8Encoder {
    /// Ticks of the timestamps given to `encode`.
    private static let clockRateHz = 90_000
    /// Limits of the bit stream: 14 bits each (RFC 6386 §9.1); ours are those of a call.
    private static let sizes = 16...4_096

    /// Size of the pictures of the current stream.
    package private(set) var size: PictureSize
    package private(set) var bitrate: Bitrate
    /// Frames that the rate control left out.
    package private(set) var droppedCount = 0
    /// Memory that libvpx cleared at start and that was given back to the kernel; for statistics and tests.
    private(set) var reclaimedBytes = 0
    private let options: VP8EncoderOptions
    private var framesPerSecond: Int
    private var configuration = vpx_codec_enc_cfg_t()
    private let context: UnsafeMutablePointer<vpx_codec_ctx_t>
    private var isOpen = false
    private var unwrapper = TimestampUnwrapper()
    private var lastTicks: Int64?

    /// - Parameter framesPerSecond: what the camera aims at; the true rate comes from the timestamps.
    package init(
        size: PictureSize, bitrate: Bitrate, framesPerSecond: Int, options: VP8EncoderOptions = VP8EncoderOptions()
    ) throws(CodecError) {
        self.size = size
        self.bitrate = bitrate
        self.framesPerSecond = min(max(framesPerSecond, 1), 120)
        self.options = options
        context = .allocate(capacity: 1)
        context.initialize(to: vpx_codec_ctx_t())
        // When it throws, deinit frees the context: every stored property has its value.
        try open()
    }

    deinit {
        if isOpen { vpx_codec_destroy(context) }
        context.deallocate()
    }

    /// Compresses one picture; another size than before starts the stream anew with a key frame.
    /// - Parameter timestamp: ticks of 90 kHz, later than the last one's.
    /// - Returns: the frame, or nil when the rate control left this one out.
    package func encode(
        _ picture: Picture, timestamp: RTPTimestamp, forceKeyFrame: Bool = false
    ) throws(CodecError) -> EncodedVideoFrame? {
        if picture.size != size || !isOpen { try restart(size: picture.size) }

        var image = vpx_image_t()
        vpx_img_wrap(
            &image, VPX_IMG_FMT_I420, UInt32(size.width), UInt32(size.height), 1, picture.luma)
        image.planes.0 = picture.luma
        image.planes.1 = picture.blueChroma
        image.planes.2 = picture.redChroma
        image.stride.0 = Int32(picture.lumaStride)
        image.stride.1 = Int32(picture.chromaStride)
        image.stride.2 = Int32(picture.chromaStride)

        let usualStep = Int64(VP8Encoder.clockRateHz / framesPerSecond)
        var ticks = unwrapper.unwrap(timestamp)
        // libvpx refuses time that stands still or runs backwards.
        if let lastTicks, ticks <= lastTicks { ticks = lastTicks + 1 }
        lastTicks = ticks
        let flags = forceKeyFrame ? vpx_enc_frame_flags_t(VPX_EFLAG_FORCE_KF) : 0
        let result = vpx_codec_encode(context, &image, ticks, UInt(usualStep), flags, UInt(VPX_DL_REALTIME))
        guard result == VPX_CODEC_OK else { throw VP8Encoder.error(result) }

        var position: vpx_codec_iter_t?
        while let packet = vpx_codec_get_cx_data(context, &position) {
            guard packet.pointee.kind == VPX_CODEC_CX_FRAME_PKT else { continue }
            let frame = packet.pointee.data.frame
            return EncodedVideoFrame(
                bytes: UnsafeRawBufferPointer(start: frame.buf, count: frame.sz),
                isKeyFrame: frame.flags & UInt32(VPX_FRAME_IS_KEY) != 0, timestamp: timestamp)
        }
        droppedCount += 1
        return nil
    }

    /// Sets the rate to aim at from the next frame on; costs nothing when it is the present one.
    package func setBitrate(_ newBitrate: Bitrate) {
        guard newBitrate != bitrate else { return }
        bitrate = newBitrate
        guard isOpen else { return }
        configuration.rc_target_bitrate = VP8Encoder.kilobits(newBitrate)
        let result = vpx_codec_enc_config_set(context, &configuration)
        precondition(result == VPX_CODEC_OK, "libvpx takes another bitrate")
    }

    private func restart(size newSize: PictureSize) throws(CodecError) {
        if isOpen {
            vpx_codec_destroy(context)
            isOpen = false
        }
        size = newSize
        try open()
    }

    private func open() throws(CodecError) {
        guard VP8Encoder.sizes.contains(size.width), VP8Encoder.sizes.contains(size.height) else {
            throw .unsupportedSize(width: size.width, height: size.height)
        }
        var result = ccb_vp8_encoder_defaults(&configuration)
        guard result == 0 else { throw .library(.vpx, code: result) }
        configure()
        reclaimedBytes = try TokenMemory.reclaim(opening: size) { () throws(CodecError) in
            result = ccb_vp8_encoder_open(context, &configuration)
            guard result == 0 else {
                throw result == Int32(VPX_CODEC_MEM_ERROR.rawValue) ? .outOfMemory : .library(.vpx, code: result)
            }
        }
        isOpen = true
        control(VP8E_SET_CPUUSED, -options.speed(for: size))  // negative: fixed, not adapted to measured time
        control(VP8E_SET_STATIC_THRESHOLD, 1)
        control(VP8E_SET_NOISE_SENSITIVITY, 0)
        control(VP8E_SET_TOKEN_PARTITIONS, 0)
        control(VP8E_SET_MAX_INTRA_BITRATE_PCT, options.largestKeyFramePercent)
    }

    private func configure() {
        configuration.g_w = UInt32(size.width)
        configuration.g_h = UInt32(size.height)
        configuration.g_timebase = vpx_rational_t(num: 1, den: Int32(VP8Encoder.clockRateHz))
        configuration.g_threads = 1
        configuration.g_lag_in_frames = 0
        configuration.g_pass = VPX_RC_ONE_PASS
        configuration.g_error_resilient = options.isErrorResilient ? UInt32(VPX_ERROR_RESILIENT_DEFAULT) : 0
        configuration.rc_end_usage = VPX_CBR
        configuration.rc_target_bitrate = VP8Encoder.kilobits(bitrate)
        configuration.rc_resize_allowed = 0
        configuration.rc_dropframe_thresh = UInt32(options.dropThresholdPercent)
        configuration.rc_min_quantizer = UInt32(options.quantizers.lowerBound)
        configuration.rc_max_quantizer = UInt32(options.quantizers.upperBound)
        // Milliseconds of data; the values of libwebrtc (libvpx_vp8_encoder.cc), which its rate estimates expect.
        configuration.rc_buf_initial_sz = 500
        configuration.rc_buf_optimal_sz = 600
        configuration.rc_buf_sz = 1_000
        configuration.rc_undershoot_pct = 100
        configuration.rc_overshoot_pct = 15
        configuration.kf_mode = VPX_KF_DISABLED
    }

    private func control(_ request: vp8e_enc_control_id, _ value: Int) {
        let result = ccb_vpx_control(context, Int32(request.rawValue), Int32(value))
        precondition(result == 0, "libvpx knows the controls of its own encoder")
    }

    private static func kilobits(_ bitrate: Bitrate) -> UInt32 {
        UInt32(min(max(bitrate.kilobitsPerSecond, 20), 50_000))
    }

    private static func error(_ result: vpx_codec_err_t) -> CodecError {
        result == VPX_CODEC_MEM_ERROR ? .outOfMemory : .library(.vpx, code: Int32(result.rawValue))
    }
}
