import Calls
import Devices

/// A relay: where it is wired, and how long it may be pulled.
package struct RelaySettings: Hashable, Sendable {
    package var name: String
    package var line: LineOutputSettings
    package var timing: RelayTiming

    package init(name: String, line: LineOutputSettings, timing: RelayTiming = RelayTiming()) {
        self.name = name
        self.line = line
        self.timing = timing
    }
}
