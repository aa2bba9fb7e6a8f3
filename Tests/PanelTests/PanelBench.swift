import Calls
import Devices
import MediaTypes
import Realtime
import Synchronization

@testable import Panel

/// A panel on the twin, with what it reported.
final class PanelBench: Sendable {
    let lines = SimulatedLines()
    let panel: Panel
    private let recorded: Recorder

    private final class Recorder: Sendable {
        let events = Mutex<[PanelEvent]>([])
    }

    init(_ settings: PanelSettings) {
        let recorder = Recorder()
        recorded = recorder
        panel = Panel(settings: settings, simulated: lines) { event in recorder.events.withLock { $0.append(event) } }
    }

    var events: [PanelEvent] { recorded.events.withLock { $0 } }

    /// Waits until something is so, at most 20 s: the machine may be busy.
    /// - Returns: whether it came to be.
    func waits(until isSo: @Sendable (PanelBench) -> Bool) async -> Bool {
        let deadline = MonotonicClock.now() + .seconds(20)
        while !isSo(self) {
            guard MonotonicClock.now() < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    func waitsForEvents(_ count: Int) async -> Bool {
        await waits { $0.events.count >= count }
    }

    static func button(
        _ name: String, _ actions: [ButtonTrigger: ButtonAction], line: String? = nil, timing: ButtonTiming = .init()
    ) -> ButtonSettings {
        ButtonSettings(
            name: name, source: .line(LineInputSettings(address(line ?? name))), bindings: ButtonBindings(actions),
            timing: timing)
    }

    static func led(_ name: String, _ rules: [LightRule]) -> LEDSettings {
        LEDSettings(name: name, line: LineOutputSettings(address(name)), shows: LightSettings(rules))
    }

    static func relay(_ name: String, pulse: Int64, maximum: Int64) -> RelaySettings {
        var timing = RelayTiming()
        timing.pulse = .milliseconds(pulse)
        timing.maximum = .milliseconds(maximum)
        return RelaySettings(name: name, line: LineOutputSettings(address(name)), timing: timing)
    }

    private static func address(_ line: String) -> LineAddress { LineAddress(chip: "simulated", line: line) }
}
