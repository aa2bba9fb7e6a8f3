import CDeviceShims
import CV4L
import Glibc

/// An open video node; closed when the handle goes.
struct V4L2Node: ~Copyable {
    let path: String
    let descriptor: Int32

    /// - Parameter name: the specifier, for errors.
    init(path: String, name: String) throws(DeviceError) {
        let descriptor = ccb_v4l2_open(path)
        guard descriptor >= 0 else {
            switch -descriptor {
            case ENOENT, ENODEV, ENXIO: throw .missing(name: name)
            case EACCES, EPERM: throw .notPermitted(name: name, hint: "is the user in group video?")
            case ENOTTY: throw .unsupported(name: name, reason: "it is not a camera")
            case EBUSY: throw .busy(name: name, holder: DeviceHolder.ofFile(path))
            default: throw .system(name: name, operation: "open", code: -descriptor)
            }
        }
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        v4l2_close(descriptor)
    }

    /// Who made the node and what it can do; nil when it is no video node.
    var capability: V4L2Capability? {
        var raw = v4l2_capability()
        guard ccb_v4l2_query_capability(descriptor, &raw) == 0 else { return nil }
        return V4L2Capability(raw)
    }

    /// Everything the camera offers, and what libv4l can make of it.
    func modes() -> [CameraMode] {
        var modes: [CameraMode] = []
        for index in 0..<UInt32(64) {
            var description = v4l2_fmtdesc()
            description.index = index
            description.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
            guard ccb_v4l2_enumerate_format(descriptor, &description) == 0 else { break }
            let isEmulated = description.flags & UInt32(V4L2_FMT_FLAG_EMULATED) != 0
            modes += self.modes(of: FourCC(description.pixelformat), isEmulated: isEmulated)
        }
        return modes
    }

    private func modes(of pixelFormat: FourCC, isEmulated: Bool) -> [CameraMode] {
        var modes: [CameraMode] = []
        for index in 0..<UInt32(256) {
            var entry = v4l2_frmsizeenum()
            entry.index = index
            entry.pixel_format = pixelFormat.rawValue
            guard ccb_v4l2_enumerate_frame_size(descriptor, &entry) == 0 else { break }
            let isDiscrete = entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
            let sides = isDiscrete ? V4L2Sides(entry.discrete) : V4L2Sides(entry.stepwise)
            // The rates of the largest size are possible for all of a range.
            let rates = self.rates(of: pixelFormat, width: sides.width.maximum, height: sides.height.maximum)
            modes.append(
                CameraMode(
                    pixelFormat, width: sides.width, height: sides.height, rates: rates, isEmulated: isEmulated))
            if !isDiscrete { break }
        }
        if modes.isEmpty {
            // Old drivers do not tell their sizes, and choose when they are asked for one.
            let any = CameraMode.SideRange(minimum: 16, maximum: 4_096, step: 2)
            modes.append(CameraMode(pixelFormat, width: any, height: any, isEmulated: isEmulated))
        }
        return modes
    }

    private func rates(of pixelFormat: FourCC, width: Int, height: Int) -> [ClosedRange<Double>] {
        var rates: [ClosedRange<Double>] = []
        for index in 0..<UInt32(64) {
            var entry = v4l2_frmivalenum()
            entry.index = index
            entry.pixel_format = pixelFormat.rawValue
            entry.width = UInt32(width)
            entry.height = UInt32(height)
            guard ccb_v4l2_enumerate_frame_interval(descriptor, &entry) == 0 else { break }
            let isDiscrete = entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue
            let shortest = V4L2Node.rate(ofInterval: isDiscrete ? entry.discrete : entry.stepwise.min)
            let longest = V4L2Node.rate(ofInterval: isDiscrete ? entry.discrete : entry.stepwise.max)
            if let shortest, let longest, longest <= shortest { rates.append(longest...shortest) }
            if !isDiscrete { break }
        }
        return rates
    }

    /// Pictures per second of the time between two; nil when it is none.
    static func rate(ofInterval interval: v4l2_fract) -> Double? {
        guard interval.numerator > 0, interval.denominator > 0 else { return nil }
        return Double(interval.denominator) / Double(interval.numerator)
    }
}
