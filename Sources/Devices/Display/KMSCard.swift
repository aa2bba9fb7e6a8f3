import CDRM
import CDisplayShims
import Glibc

/// An open graphics card; closed by `close`, or when the last reference goes.
///
/// - Thread: one at a time.
final class KMSCard {
    let path: String
    /// The kernel's name of the driver: `vc4`, `virtio_gpu`, …
    let driver: String
    private(set) var descriptor: Int32
    /// The specifier, for errors.
    private let name: String

    /// - Errors: `missing`, `notPermitted`, or `unsupported` when the node is no card or has nothing to show on.
    init(path: String, name: String) throws(DeviceError) {
        let descriptor = ccb_drm_open(path)
        guard descriptor >= 0 else {
            switch -descriptor {
            case ENOENT, ENODEV, ENXIO: throw .missing(name: name)
            case EACCES, EPERM:
                throw .notPermitted(name: name, hint: "\(path): is the user in group video?")
            case ENOTTY: throw .unsupported(name: name, reason: "\(path) is not a graphics card")
            default: throw .system(name: name, operation: "open \(path)", code: -descriptor)
            }
        }
        self.path = path
        self.name = name
        self.descriptor = descriptor
        driver = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard ccb_drm_driver(descriptor, text.baseAddress, UInt32(text.count)) == 0 else { return "" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        }
    }

    deinit { close() }

    /// Whether it can show pictures that lie in plain memory.
    var canShow: Bool {
        var answer: UInt64 = 0
        guard drmGetCap(descriptor, UInt64(DRM_CAP_DUMB_BUFFER), &answer) == 0, answer != 0,
            let resources = drmModeGetResources(descriptor)
        else { return false }
        defer { drmModeFreeResources(resources) }
        return resources.pointee.count_connectors > 0 && resources.pointee.count_crtcs > 0
    }

    /// Makes this program the one that decides what the card shows.
    /// - Errors: `busy` when another program is that.
    func becomeMaster() throws(DeviceError) {
        guard ccb_drm_become_master(descriptor) != 1 else { return }
        let holder = DeviceHolder.ofFile(path)
        throw .busy(name: name, holder: holder.map { "\($0), which decides what \(path) shows" })
    }

    /// Lets others decide.
    func dropMaster() {
        drmDropMaster(descriptor)
    }

    /// Restores the console where nobody else has the card open: the kernel does that.
    func close() {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// What a failed call of the kernel means for whoever shows pictures.
    func error(_ operation: String, code: Int32) -> DeviceError {
        switch code {
        case ENODEV, ENXIO, EIO: .gone(name: name)
        case EACCES, EPERM: .busy(name: name, holder: DeviceHolder.ofFile(path))
        default: .system(name: name, operation: operation, code: code)
        }
    }
}
