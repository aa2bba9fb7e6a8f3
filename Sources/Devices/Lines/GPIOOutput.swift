import CLineShims
import Glibc

/// A GPIO line that is driven, by libgpiod.
final class GPIOOutput: LineOutput {
    private let name: String
    private var line: OpaquePointer?

    init(_ settings: LineOutputSettings, consumer: String) throws(DeviceError) {
        name = settings.address.description
        line = try GPIODirectory.find(settings.address) { (chip, offset) throws(DeviceError) in
            try chip.requestOutput(offset, settings, consumer: consumer)
        }
    }

    deinit {
        close()
    }

    func setActive(_ isActive: Bool) throws(DeviceError) {
        let result = line.map { ccb_gpio_line_set($0, isActive ? 1 : 0) } ?? -ENODEV
        guard result == 0 else { throw .gone(name: name) }
    }

    func close() {
        guard let line else { return }
        self.line = nil
        // Some controllers keep the level of a line that nobody has.
        _ = ccb_gpio_line_set(line, 0)
        ccb_gpio_line_close(line)
    }
}
