import Calls
import Devices
import MediaTypes
import Panel
import Realtime

/// Uses buttons, LEDs and relays and prints what happens, with the time since the start in ms.
///
/// Every button reports every gesture; a double press pulls all relays for 500 ms. LEDs blink fast.
struct PanelProbe {
    private let settings: PanelSettings

    /// - Parameter items: `button,NAME,CHIP,LINE[,low][,pull-up]`, `key,NAME,DEVICE,KEY[,grab]`, `led,NAME,CHIP,LINE[,low]`
    ///   or `relay,NAME,CHIP,LINE[,low][,open-drain]`; nil where one of them is something else.
    init?(_ items: [String]) {
        var settings = PanelSettings()
        let bindings = ButtonBindings([.press: .call, .longPress: .hangUp, .doublePress: .mute, .hold: .talk])
        for item in items {
            let words = item.split(separator: ",").map(String.init)
            guard words.count >= 4 else { return nil }
            let options = words[4...]
            let address = LineAddress(chip: words[2], line: words[3])
            var output = LineOutputSettings(address)
            output.isActiveLow = options.contains("low")
            if options.contains("open-drain") { output.drive = .openDrain }
            switch words[0] {
            case "button":
                var line = LineInputSettings(address)
                line.isActiveLow = options.contains("low")
                if options.contains("pull-up") { line.bias = .pullUp }
                settings.buttons.append(ButtonSettings(name: words[1], source: .line(line), bindings: bindings))
            case "key":
                guard let key = KeyCode(words[3]) else { return nil }
                let source = ButtonSettings.Source.key(
                    key, device: words[2], isGrabbed: options.contains("grab"))
                settings.buttons.append(ButtonSettings(name: words[1], source: source, bindings: bindings))
            case "led":
                let shows = LightSettings([LightRule(.power, .fastBlink)])
                settings.leds.append(LEDSettings(name: words[1], line: output, shows: shows))
            case "relay":
                settings.relays.append(RelaySettings(name: words[1], line: output))
            default: return nil
            }
        }
        self.settings = settings
    }

    /// - Errors: printed, like everything else.
    func run(for time: Interval) {
        let start = MonotonicClock.now()
        let settings = settings
        let doors = DoorOpener()
        let panel = Panel(settings: settings) { event in
            ProbeText.print("\((MonotonicClock.now() - start).milliseconds) \(event)")
            if case .gesture(_, .doublePress) = event { doors.isWanted.store(true, ordering: .relaxed) }
        }
        do throws(SystemError) {
            try panel.start()
        } catch {
            ProbeText.print("\(error)")
            return
        }
        panel.show([.power])
        while MonotonicClock.now() - start < time {
            MonotonicClock.sleep(until: MonotonicClock.now() + .milliseconds(10))
            guard doors.isWanted.exchange(false, ordering: .relaxed) else { continue }
            for relay in settings.relays {
                let refusal = panel.openRelay(relay.name, for: .milliseconds(500))
                ProbeText.print("relay \(relay.name): \(refusal?.description ?? "pulled")")
            }
        }
        for line in panel.snapshot {
            ProbeText.print("total \(line.kind.rawValue) \(line.name) at \(line.place): \(line.fault ?? "in use")")
        }
        panel.stop()
    }
}
