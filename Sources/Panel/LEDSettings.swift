import Calls
import Devices

/// An LED: where it is wired, and what it shows.
package struct LEDSettings: Hashable, Sendable {
    package var name: String
    package var line: LineOutputSettings
    package var shows: LightSettings

    package init(name: String, line: LineOutputSettings, shows: LightSettings) {
        self.name = name
        self.line = line
        self.shows = shows
    }
}
