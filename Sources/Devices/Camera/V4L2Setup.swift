import CDeviceShims
import CV4L
import Glibc
import MediaTypes

/// Sets a camera to the chosen format, and reads back what it made of it.
struct V4L2Setup {
    struct Agreed {
        var pixelFormat: FourCC
        var conversion: PixelFormat
        var size: PictureSize
        /// From one row to the next in the first plane.
        var strideBytes: Int
        /// 0 when the camera does not tell.
        var framesPerSecond: Double
    }

    let name: String
    let choice: CameraNegotiation.Choice
    let framesPerSecond: Int

    func apply(to node: borrowing V4L2Node) throws(DeviceError) -> Agreed {
        var format = v4l2_format()
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        format.fmt.pix.width = UInt32(choice.size.width)
        format.fmt.pix.height = UInt32(choice.size.height)
        format.fmt.pix.pixelformat = choice.pixelFormat.rawValue
        format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
        let result = ccb_v4l2_set_format(node.descriptor, &format)
        switch -result {
        case 0: break
        case EBUSY: throw .busy(name: name, holder: DeviceHolder.ofFile(node.path))
        case ENODEV: throw .gone(name: name)
        default: throw .system(name: name, operation: "set the picture format", code: -result)
        }
        // The driver may have taken another size, and even another format.
        let pixelFormat = FourCC(format.fmt.pix.pixelformat)
        let size = PictureSize(width: Int(format.fmt.pix.width), height: Int(format.fmt.pix.height))
        guard let conversion = CameraNegotiation.conversion(of: pixelFormat) else {
            throw .unsupported(name: name, reason: "it delivers \(pixelFormat) instead of \(choice.pixelFormat)")
        }
        guard (16...8_192).contains(size.width), (16...8_192).contains(size.height) else {
            throw .unsupported(name: name, reason: "it delivers pictures of \(size)")
        }
        let rowBytes = conversion == .yuyv ? 2 * size.width : size.width
        return Agreed(
            pixelFormat: pixelFormat, conversion: conversion, size: size,
            strideBytes: max(rowBytes, Int(format.fmt.pix.bytesperline)), framesPerSecond: setRate(of: node))
    }

    /// - Returns: what the camera says its rate is; 0 when it cannot be set or told.
    private func setRate(of node: borrowing V4L2Node) -> Double {
        var parameters = v4l2_streamparm()
        parameters.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        let rate = choice.framesPerSecond ?? Double(framesPerSecond)
        // Thousandths hold 29.97 and 7.5 well enough for the driver to find its own fraction.
        parameters.parm.capture.timeperframe = v4l2_fract(numerator: 1_000, denominator: UInt32(rate * 1_000))
        guard ccb_v4l2_set_parameters(node.descriptor, &parameters) == 0 else { return 0 }
        return V4L2Node.rate(ofInterval: parameters.parm.capture.timeperframe) ?? 0
    }
}
