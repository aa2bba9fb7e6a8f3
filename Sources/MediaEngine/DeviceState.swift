import Synchronization
import Telemetry

/// What each device of this endpoint is doing, for logs and status: one line per change, never per retry.
package final class DeviceState: Sendable {
    package enum Part: String, Sendable, CaseIterable {
        case microphone
        case speaker
        case camera
        case display

        /// The part's name in the log.
        var component: StaticString {
            switch self {
            case .microphone: "microphone"
            case .speaker: "speaker"
            case .camera: "camera"
            case .display: "display"
            }
        }
    }

    package struct Entry: Sendable, Equatable {
        /// The open device's name; nil while there is none.
        package var openDevice: String?
        /// What is wrong, in words; nil while all is well. With an open device: what could not be had instead of it.
        package var fault: String?
    }

    private let entries = Mutex<[Part: Entry]>([:])

    package init() {}

    package var snapshot: [Part: Entry] { entries.withLock { $0 } }

    func report(_ part: Part, opened name: String) {
        if change(part, Entry(openDevice: name, fault: nil)) {
            Log.notice(part.component, "opened \(name)")
        }
    }

    /// A device is open, but not the one that was asked for.
    func report(_ part: Part, opened name: String, fault: String) {
        if change(part, Entry(openDevice: name, fault: fault)) {
            Log.warning(part.component, "\(fault); \(name) stays")
        }
    }

    func report(_ part: Part, fault: String) {
        if change(part, Entry(openDevice: nil, fault: fault)) {
            Log.warning(part.component, "\(fault); trying again every second")
        }
    }

    func report(_ part: Part, closed reason: String) {
        if change(part, Entry(openDevice: nil, fault: nil)) {
            Log.notice(part.component, "closed: \(reason)")
        }
    }

    /// True when this is news.
    private func change(_ part: Part, _ entry: Entry) -> Bool {
        entries.withLock { all in
            guard all[part] != entry else { return false }
            all[part] = entry
            return true
        }
    }
}
