import Codecs
import Devices
import MediaTypes
import Realtime
import Synchronization

/// A screen that keeps what a test needs to know of each picture shown.
final class ProbeDisplay: DisplayDevice, Sendable {
    struct Shot: Sendable {
        var time: MonotonicTime
        /// Luma at the left edge, a third from the top: the ground of a sign, or the pattern.
        var edgeLuma: UInt8
        var edgeBlueChroma: UInt8
        /// The frame counter of a test pattern over the whole screen.
        var counter: Int?
        /// Light pixels in the lowest eighth.
        var litCount: Int
    }

    static let shots = Mutex<[Shot]>([])

    let name = "probe"
    let size = PictureSize(width: 640, height: 480)
    let nextPictureTime = MonotonicTime.zero

    static var registry: DeviceRegistry {
        var driver = DeviceDriver(scheme: "probe") { [] }
        driver.openDisplay = { (_) throws(DeviceError) -> any DisplayDevice in ProbeDisplay() }
        return DeviceRegistry(drivers: [driver])
    }

    static var last: Shot? { shots.withLock { $0.last } }

    func show(_ picture: Picture, changes: PictureRegion, at time: MonotonicTime) throws(DeviceError) {
        var lit = 0
        for row in size.height * 7 / 8..<size.height {
            for column in 0..<size.width where picture.luma[row * picture.lumaStride + column] > 229 { lit += 1 }
        }
        let row = size.height / 3
        let shot = Shot(
            time: time, edgeLuma: picture.luma[row * picture.lumaStride],
            edgeBlueChroma: picture.blueChroma[row / 2 * picture.chromaStride],
            counter: FrameCounterCode.read(from: picture), litCount: lit)
        ProbeDisplay.shots.withLock { $0.append(shot) }
    }

    func close() {}
}
