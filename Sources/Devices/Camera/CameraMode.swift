import MediaTypes

/// One pixel format that a camera offers, with its sizes and rates.
struct CameraMode: Equatable, Sendable {
    /// The sizes along one direction: a single one, or from … to in steps.
    struct SideRange: Equatable, Sendable, BitwiseCopyable {
        var minimum: Int
        var maximum: Int
        var step: Int

        /// The side that comes nearest to the wish.
        func nearest(to wish: Int) -> Int {
            let clamped = min(max(wish, minimum), maximum)
            guard step > 1 else { return clamped }
            let lower = minimum + (clamped - minimum) / step * step
            let upper = lower + step
            return upper <= maximum && upper - clamped < clamped - lower ? upper : lower
        }
    }

    var pixelFormat: FourCC
    /// Made by libv4l from what the camera has.
    var isEmulated: Bool
    var width: SideRange
    var height: SideRange
    /// Pictures per second that are possible; empty when the camera does not tell.
    var rates: [ClosedRange<Double>] = []

    /// One size exactly.
    init(_ pixelFormat: FourCC, _ size: PictureSize, rates: [ClosedRange<Double>] = [], isEmulated: Bool = false) {
        self.init(
            pixelFormat, width: SideRange(minimum: size.width, maximum: size.width, step: 1),
            height: SideRange(minimum: size.height, maximum: size.height, step: 1), rates: rates,
            isEmulated: isEmulated)
    }

    init(
        _ pixelFormat: FourCC, width: SideRange, height: SideRange, rates: [ClosedRange<Double>] = [],
        isEmulated: Bool = false
    ) {
        self.pixelFormat = pixelFormat
        self.width = width
        self.height = height
        self.rates = rates
        self.isEmulated = isEmulated
    }

    func nearestSize(to wish: PictureSize) -> PictureSize {
        PictureSize(width: width.nearest(to: wish.width), height: height.nearest(to: wish.height))
    }

    /// The rate that comes nearest to the wish; nil when the camera does not tell.
    func nearestRate(to wish: Double) -> Double? {
        rates.map { min(max(wish, $0.lowerBound), $0.upperBound) }.min { abs($0 - wish) < abs($1 - wish) }
    }
}
