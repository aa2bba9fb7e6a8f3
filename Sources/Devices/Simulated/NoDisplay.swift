import Codecs
import MediaTypes

/// Display `none`: shows nothing.
final class NoDisplay: DisplayDevice {
    let name: String
    let size = PictureSize(width: 640, height: 480)
    let nextPictureTime = MonotonicTime.zero

    init(specifier: DeviceSpecifier) throws(DeviceError) {
        name = specifier.text
        guard specifier.argument.isEmpty else {
            throw .unsupported(name: name, reason: "the absent display has no options")
        }
    }

    func show(_ picture: Picture, changes: PictureRegion, at time: MonotonicTime) throws(DeviceError) {}

    func close() {}
}
