import CDeviceShims
import CV4L
import MediaTypes
import Testing

@testable import Devices

/// What can be tested of V4L2 on a machine without a camera; the rest runs on the board simulation.
@Suite struct V4L2Tests {
    let size = PictureSize(width: 640, height: 480)

    @Test func camerasThatAreNotThereAreTold() {
        for name in ["/dev/video987", "by-id/none", "by-path/none", "No Such Camera", "usb-0000:00:99.0-1", ""] {
            #expect(throws: DeviceError.missing(name: name)) {
                try V4L2Camera(specifier: DeviceSpecifier(name), size: size, framesPerSecond: 30)
            }
        }
    }

    @Test func aNodeThatIsNoCameraIsRefused() {
        for name in ["/dev/null", "/tmp", "/etc/passwd"] {
            #expect(throws: DeviceError.unsupported(name: name, reason: "it is not a camera")) {
                try V4L2Camera(specifier: DeviceSpecifier(name), size: size, framesPerSecond: 30)
            }
        }
    }

    @Test func theNamesOfACameraAreRead() {
        var raw = v4l2_capability()
        withUnsafeMutableBytes(of: &raw.card) { $0.copyBytes(from: Array("USB Camera\0junk".utf8)) }
        withUnsafeMutableBytes(of: &raw.driver) { $0.copyBytes(from: Array(repeating: UInt8(ascii: "d"), count: 16)) }
        raw.capabilities = 0x8500_0001
        raw.device_caps = 0x0420_0001
        let capability = V4L2Capability(raw)
        #expect(capability.card == "USB Camera" && capability.driver == "dddddddddddddddd")
        #expect(capability.isCamera)
        // A metadata node of the same camera.
        raw.device_caps = 0x04A0_0000
        #expect(!V4L2Capability(raw).isCamera)
    }

    @Test func sizesOfADriverAreReadEvenWhenTheyAreNonsense() {
        let sides = V4L2Sides(
            v4l2_frmsize_stepwise(
                min_width: 48, max_width: 1_920, step_width: 4, min_height: 32, max_height: 8, step_height: 0))
        #expect(sides.width == .init(minimum: 48, maximum: 1_920, step: 4))
        #expect(sides.height == .init(minimum: 32, maximum: 32, step: 1))
        #expect(V4L2Node.rate(ofInterval: v4l2_fract(numerator: 1_001, denominator: 30_000)) == 30_000 / 1_001.0)
        #expect(V4L2Node.rate(ofInterval: v4l2_fract(numerator: 0, denominator: 5)) == nil)
    }

    @Test func theConstantsOfTheHeaderAreTheCharactersWeWrite() {
        #expect(FourCC("YU12").rawValue == ccb_v4l2_pix_fmt_yuv420)
        #expect(FourCC("NV12").rawValue == ccb_v4l2_pix_fmt_nv12)
        #expect(FourCC("YUYV").rawValue == ccb_v4l2_pix_fmt_yuyv)
        #expect(FourCC("MJPG").rawValue == ccb_v4l2_pix_fmt_mjpeg)
        #expect(FourCC("JPEG").rawValue == ccb_v4l2_pix_fmt_jpeg)
    }
}
