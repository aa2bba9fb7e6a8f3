import Calls
import MediaTypes

/// One button on `cb-lines`.
final class PanelButton {
    let settings: ButtonSettings
    private(set) var gestures: ButtonGestures

    init(_ settings: ButtonSettings) {
        self.settings = settings
        gestures = ButtonGestures(triggers: [])
    }

    /// The line is open, with this level.
    func open(level: Bool, isDebounced: Bool, at now: MonotonicTime) {
        var timing = settings.timing
        if isDebounced { timing.debounce = .zero }
        gestures = ButtonGestures(triggers: settings.bindings.triggers, timing: timing)
        gestures.resynchronise(level: level, at: now)
    }

    func receive(isActive: Bool, isLevel: Bool, at time: MonotonicTime) {
        if isLevel {
            gestures.resynchronise(level: isActive, at: time)
        } else {
            gestures.receive(isPressed: isActive, at: time)
        }
    }

    func lose(at now: MonotonicTime) {
        gestures.lineLost(at: now)
    }

    func advance(to now: MonotonicTime) {
        gestures.advance(to: now)
    }

    func pollEvent() -> PanelEvent? {
        switch gestures.pollOutput() {
        case .gesture(let gesture): .gesture(button: settings.name, gesture)
        case .stuck: .stuck(button: settings.name)
        case .released: .released(button: settings.name)
        case nil: nil
        }
    }

    func status(_ fault: LineFault) -> LineStatus {
        LineStatus(
            name: settings.name, kind: .button, place: settings.place, isSimulated: settings.isSimulated,
            isActive: gestures.isPressed, isStuck: gestures.isStuck, fault: fault.text, consumer: fault.consumer)
    }
}
