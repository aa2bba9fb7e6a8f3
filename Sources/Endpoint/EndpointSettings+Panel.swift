import Calls
import Configuration
import Devices
import MediaTypes
import Panel

extension PanelSettings {
    /// The buttons, LEDs and relays of the configuration, which has been checked.
    package init(_ configuration: Configuration) {
        let chip = configuration.gpio.chip
        self.init(
            buttons: configuration.buttons.compactMap { ButtonSettings($0, defaultChip: chip) },
            leds: configuration.leds.map { led in
                let line = LineOutputSettings(
                    chip: led.chip ?? chip, line: led.line, isActiveLow: led.isActiveLow, drive: led.drive)
                return LEDSettings(
                    name: led.name, line: line,
                    shows: LightSettings(led.shows.map { LightRule($0.indicator, $0.pattern) }))
            },
            relays: configuration.relays.map { relay in
                let line = LineOutputSettings(
                    chip: relay.chip ?? chip, line: relay.line, isActiveLow: relay.isActiveLow, drive: relay.drive)
                var timing = RelayTiming()
                timing.pulse = .milliseconds(Int64(relay.pulseMilliseconds))
                timing.maximum = .milliseconds(Int64(relay.maximumMilliseconds))
                return RelaySettings(name: relay.name, line: line, timing: timing)
            })
    }
}

extension ButtonSettings {
    fileprivate init?(_ button: Configuration.Button, defaultChip: String?) {
        let source: Source
        if let name = button.line {
            var line = LineInputSettings(LineAddress(chip: button.chip ?? defaultChip, line: name))
            line.isActiveLow = button.isActiveLow
            line.bias = LineBias(button.bias)
            source = .line(line)
        } else if let device = button.device, let key = button.key {
            source = .key(key, device: device, isGrabbed: button.isGrabbed)
        } else {
            return nil
        }
        var timing = ButtonTiming()
        timing.debounce = .milliseconds(Int64(button.debounceMilliseconds))
        timing.longPress = .milliseconds(Int64(button.longPressMilliseconds))
        timing.doublePress = .milliseconds(Int64(button.doublePressMilliseconds))
        timing.stuck = .seconds(Int64(button.stuckAfterSeconds))
        self.init(name: button.name, source: source, bindings: button.bindings, timing: timing)
    }
}

extension LineOutputSettings {
    fileprivate init(chip: String?, line: String, isActiveLow: Bool, drive: Configuration.Drive) {
        self.init(LineAddress(chip: chip, line: line))
        self.isActiveLow = isActiveLow
        self.drive = LineDrive(drive)
    }
}

extension LineBias {
    fileprivate init(_ bias: Configuration.Button.Bias) {
        self =
            switch bias {
            case .asIs: .asIs
            case .disabled: .disabled
            case .pullUp: .pullUp
            case .pullDown: .pullDown
            }
    }
}

extension LineDrive {
    fileprivate init(_ drive: Configuration.Drive) {
        self =
            switch drive {
            case .pushPull: .pushPull
            case .openDrain: .openDrain
            case .openSource: .openSource
            }
    }
}
