import CDRM
import MediaTypes

/// A picture size and rate that a screen can show.
struct KMSMode: Equatable, Sendable, CustomStringConvertible {
    var size: PictureSize
    /// Pictures a second.
    var rate: Double
    var isPreferred = false
    var isInterlaced = false
    /// Position in the connector's list.
    var index = 0

    init(size: PictureSize, rate: Double, isPreferred: Bool = false, isInterlaced: Bool = false) {
        self.size = size
        self.rate = rate
        self.isPreferred = isPreferred
        self.isInterlaced = isInterlaced
    }

    init(_ raw: drmModeModeInfo, index: Int) {
        let total = Double(raw.htotal) * Double(raw.vtotal)
        // The kernel's own rate is rounded, and zero for some drivers' modes.
        let exact = raw.clock > 0 && total > 0 ? Double(raw.clock) * 1_000 / total : Double(raw.vrefresh)
        self.init(
            size: PictureSize(width: Int(raw.hdisplay), height: Int(raw.vdisplay)), rate: exact,
            isPreferred: raw.type & UInt32(DRM_MODE_TYPE_PREFERRED) != 0,
            isInterlaced: raw.flags & UInt32(DRM_MODE_FLAG_INTERLACE) != 0)
        self.index = index
    }

    var description: String { "\(size)@\(Int(rate.rounded()))\(isInterlaced ? "i" : "")" }

    /// What is composed at most when nobody names a mode: more costs a small board its time and memory, and every larger
    /// screen shows this, too.
    static let largestDefault = PictureSize(width: 1_920, height: 1_200)

    /// The mode to use: the wanted one if there is one like it, else the one that the screen prefers, or of those within
    /// `largestDefault` the most like it.
    /// - Returns: nil only when there is no mode; `isWanted` is false when the wanted one is not offered.
    static func choose(_ wanted: KMSOptions.WantedMode?, from modes: [KMSMode]) -> (mode: KMSMode, isWanted: Bool)? {
        if let wanted, let found = find(wanted, in: modes) { return (found, true) }
        let isWanted = wanted == nil
        guard let preferred = modes.first(where: \.isPreferred) ?? modes.max(by: isLess) else { return nil }
        guard preferred.isTooLarge || preferred.isInterlaced else { return (preferred, isWanted) }
        let fitting = modes.filter { !$0.isTooLarge && !$0.isInterlaced }
        let sameShape = fitting.filter {
            $0.size.width * preferred.size.height == $0.size.height * preferred.size.width
        }
        return ((sameShape.max(by: isLess) ?? fitting.max(by: isLess) ?? preferred), isWanted)
    }

    private static func find(_ wanted: KMSOptions.WantedMode, in modes: [KMSMode]) -> KMSMode? {
        let sized = modes.filter { $0.size == wanted.size }
        if let rate = wanted.rate {
            return sized.filter { abs($0.rate - Double(rate)) < 1 }.min {
                ($0.isInterlaced ? 1 : 0, abs($0.rate - Double(rate)))
                    < ($1.isInterlaced ? 1 : 0, abs($1.rate - Double(rate)))
            }
        }
        return sized.max(by: isLess)
    }

    private var isTooLarge: Bool {
        size.width > KMSMode.largestDefault.width || size.height > KMSMode.largestDefault.height
    }

    /// By use: pictures that are whole, then larger ones, then faster ones up to 60 a second.
    private static func isLess(_ a: KMSMode, _ b: KMSMode) -> Bool {
        if a.isInterlaced != b.isInterlaced { return a.isInterlaced }
        let areas = (a.size.width * a.size.height, b.size.width * b.size.height)
        if areas.0 != areas.1 { return areas.0 < areas.1 }
        return (a.rate > 61 ? 0 : a.rate) < (b.rate > 61 ? 0 : b.rate)
    }
}
