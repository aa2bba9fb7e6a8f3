import CLineShims
import Glibc
import MediaTypes

/// An open input device (`/dev/input/event*`); closed with the last reference.
final class KeyDevice {
    let descriptor: Int32

    /// - Parameter name: for errors.
    init(path: String, name: String) throws(DeviceError) {
        let result = ccb_input_open(path)
        guard result >= 0 else {
            switch -result {
            case ENOENT, ENODEV, ENXIO: throw .missing(name: name)
            case EACCES, EPERM: throw .notPermitted(name: name, hint: "is the user in group input?")
            case ENOTTY: throw .unsupported(name: name, reason: "it is not an input device")
            default: throw .system(name: name, operation: "open", code: -result)
            }
        }
        descriptor = result
    }

    deinit {
        close(descriptor)
    }

    /// As in `gpio-keys` or `Logitech USB Keypad`.
    var name: String { text(ccb_input_name) }
    /// Where it is plugged in, as in `usb-0000:01:00.0-1.2/input0`.
    var location: String { text(ccb_input_location) }
    /// The keys that it has; nil when it is gone.
    var keys: Set<Int>? { numbers(ccb_input_keys) }
    /// The keys that are down; nil when it is gone.
    var pressedKeys: Set<Int>? { numbers(ccb_input_pressed_keys) }

    private func text(_ read: (Int32, UnsafeMutablePointer<CChar>?, UInt32) -> Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard read(descriptor, buffer.baseAddress, 256) == 0 else { return "" }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        }
    }

    private func numbers(_ read: (Int32, UnsafeMutablePointer<UInt8>?) -> Int32) -> Set<Int>? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(CCB_KEY_BYTES)) { bits in
            guard read(descriptor, bits.baseAddress) == 0 else { return nil }
            return Set((0..<Int(CCB_KEY_COUNT)).filter { bits[$0 / 8] & (1 << ($0 % 8)) != 0 })
        }
    }
}
