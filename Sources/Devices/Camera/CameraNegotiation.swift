import MediaTypes

/// Chooses what to ask a camera for: the wished size and rate if it has them, the nearest otherwise, in the format that
/// costs the processor least. Pure, so that it is tested with tables of real cameras.
enum CameraNegotiation {
    struct Choice: Equatable, Sendable {
        var pixelFormat: FourCC
        /// How the pipeline converts it.
        var conversion: PixelFormat
        var size: PictureSize
        /// Nil when the camera does not tell its rates.
        var framesPerSecond: Double?
    }

    /// What the pipeline converts by itself, and what each costs; the unit is that of the penalties below.
    private static let formats: [(pixelFormat: FourCC, conversion: PixelFormat, cost: Double)] = [
        (FourCC("YU12"), .i420, 0), (FourCC("NV12"), .nv12, 0.01), (FourCC("YUYV"), .yuyv, 0.02),
        (FourCC("MJPG"), .mjpeg, 0.12), (FourCC("JPEG"), .mjpeg, 0.13),
    ]
    /// libv4l converts without vector instructions, and may even decode JPEG first.
    private static let emulationCost = 0.3

    /// - Returns: nil when the camera has nothing that can be used.
    static func choose(from modes: [CameraMode], size: PictureSize, framesPerSecond: Double) -> Choice? {
        var best: (choice: Choice, penalty: Double)?
        for mode in modes {
            guard let format = formats.first(where: { $0.pixelFormat == mode.pixelFormat }),
                !mode.isEmulated || format.conversion == .i420
            else { continue }
            let nearest = mode.nearestSize(to: size)
            // Converters work on pairs of pixels.
            guard nearest.width >= 16, nearest.height >= 16, nearest.width % 2 == 0 else { continue }
            let rate = mode.nearestRate(to: framesPerSecond)
            let penalty =
                format.cost + (mode.isEmulated ? emulationCost : 0) + sizePenalty(nearest, wish: size)
                + ratePenalty(rate, wish: framesPerSecond)
            if penalty < best?.penalty ?? .infinity {
                best = (
                    Choice(
                        pixelFormat: mode.pixelFormat, conversion: format.conversion, size: nearest,
                        framesPerSecond: rate), penalty
                )
            }
        }
        return best?.choice
    }

    /// How the pipeline converts a format that the camera chose instead; nil when it cannot.
    static func conversion(of pixelFormat: FourCC) -> PixelFormat? {
        formats.first { $0.pixelFormat == pixelFormat }?.conversion
    }

    /// Too few pixels are worse than too many, which only cost work; another shape is worse than either.
    private static func sizePenalty(_ size: PictureSize, wish: PictureSize) -> Double {
        let ratio = Double(size.width * size.height) / Double(wish.width * wish.height)
        let shape = Double(size.width * wish.height) / Double(size.height * wish.width)
        let distortion = max(shape, 1 / shape) - 1
        return (ratio < 1 ? 2 * (1 / ratio - 1) : 0.5 * (ratio - 1)) + distortion
    }

    /// Too slow is worse than too fast; a rate nobody knows is a small risk.
    private static func ratePenalty(_ rate: Double?, wish: Double) -> Double {
        guard let rate, rate > 0 else { return 0.2 }
        return rate < wish ? wish / rate - 1 : 0.1 * (rate / wish - 1)
    }
}
