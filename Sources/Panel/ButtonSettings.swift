import Calls
import Devices
import MediaTypes

/// A button: where it is wired, and what can be done with it.
package struct ButtonSettings: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// A GPIO line. Its `debounce` is not used: `timing` has it.
        case line(LineInputSettings)
        /// A key of an input device. Of the buttons on one device, one that is grabbed grabs it for all.
        case key(KeyCode, device: String, isGrabbed: Bool)
    }

    package var name: String
    package var source: Source
    package var timing: ButtonTiming
    package var bindings: ButtonBindings

    package init(name: String, source: Source, bindings: ButtonBindings, timing: ButtonTiming = ButtonTiming()) {
        self.name = name
        self.source = source
        self.bindings = bindings
        self.timing = timing
    }

    /// Where the button is, for a person.
    var place: String {
        switch source {
        case .line(let line): line.address.description
        case .key(let key, let device, _): "\(device) \(key.name)"
        }
    }

    var isSimulated: Bool {
        if case .line(let line) = source { line.address.isSimulated } else { false }
    }
}
