import CLineShims
import Glibc

/// An open GPIO chip; closed with the last reference, which leaves requested lines as they are.
final class GPIOChip {
    private let handle: OpaquePointer

    /// - Parameter name: for errors.
    init(path: String, name: String) throws(DeviceError) {
        var handle: OpaquePointer?
        let result = ccb_gpio_chip_open(path, &handle)
        guard result == 0, let handle else {
            throw GPIOChip.error(result, name: name, operation: "open the chip")
        }
        self.handle = handle
    }

    deinit {
        ccb_gpio_chip_close(handle)
    }

    /// As in `gpiochip0`.
    var name: String { String(cString: ccb_gpio_chip_name(handle)) }
    var label: String { String(cString: ccb_gpio_chip_label(handle)) }
    var lineCount: Int { Int(ccb_gpio_chip_line_count(handle)) }

    /// What the kernel tells of a line now; nil when it does not exist.
    func line(_ offset: Int) -> GPIOLineInfo? {
        var info = ccb_gpio_line_info()
        guard ccb_gpio_chip_line_info(handle, UInt32(offset), &info) == 0 else { return nil }
        return GPIOLineInfo(offset: offset, info)
    }

    /// The number of a line by its name, else by its number.
    func offset(of line: String) -> Int? {
        if let named = (0..<lineCount).first(where: { self.line($0)?.name == line }) { return named }
        guard let number = Int(line), (0..<lineCount).contains(number) else { return nil }
        return number
    }

    func requestInput(
        _ offset: Int, _ settings: LineInputSettings, consumer: String
    ) throws(DeviceError) -> (line: OpaquePointer, isDebounced: Bool) {
        var line: OpaquePointer?
        var isDebounced: Int32 = 0
        let bias: ccb_gpio_bias =
            switch settings.bias {
            case .asIs: CCB_BIAS_AS_IS
            case .disabled: CCB_BIAS_DISABLED
            case .pullUp: CCB_BIAS_PULL_UP
            case .pullDown: CCB_BIAS_PULL_DOWN
            }
        let result = ccb_gpio_request_input(
            handle, UInt32(offset), consumer, settings.isActiveLow ? 1 : 0, bias,
            UInt32(clamping: settings.debounce.microseconds), &isDebounced, &line)
        guard result == 0, let line else {
            if result == -EINVAL, settings.bias != .asIs {
                throw .unsupported(
                    name: settings.address.description, reason: "the chip has no bias \(settings.bias.rawValue)")
            }
            throw refusal(result, offset, settings.address)
        }
        return (line, isDebounced != 0)
    }

    func requestOutput(
        _ offset: Int, _ settings: LineOutputSettings, consumer: String
    ) throws(DeviceError) -> OpaquePointer {
        var line: OpaquePointer?
        let drive: ccb_gpio_drive =
            switch settings.drive {
            case .pushPull: CCB_DRIVE_PUSH_PULL
            case .openDrain: CCB_DRIVE_OPEN_DRAIN
            case .openSource: CCB_DRIVE_OPEN_SOURCE
            }
        let result = ccb_gpio_request_output(
            handle, UInt32(offset), consumer, settings.isActiveLow ? 1 : 0, drive, &line)
        guard result == 0, let line else { throw refusal(result, offset, settings.address) }
        return line
    }

    private func refusal(_ result: Int32, _ offset: Int, _ address: LineAddress) -> DeviceError {
        if result == -EBUSY { return .busy(name: address.description, holder: line(offset)?.consumer) }
        return GPIOChip.error(result, name: address.description, operation: "request the line")
    }

    static func error(_ result: Int32, name: String, operation: String) -> DeviceError {
        switch -result {
        case ENOENT, ENODEV, ENXIO: .missing(name: name)
        case EACCES, EPERM: .notPermitted(name: name, hint: "is the user in group gpio?")
        case ENOTTY, ENOTDIR: .unsupported(name: name, reason: "it is not a GPIO chip")
        default: .system(name: name, operation: operation, code: -result)
        }
    }
}
