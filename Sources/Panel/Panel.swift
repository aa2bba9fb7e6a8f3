import Calls
import Devices
import MediaTypes
import Realtime
import Synchronization

/// The buttons, LEDs and relays of an endpoint, on a thread of their own.
///
/// A line that is missing, busy or goes away is a fault of that line: the others work on, and it is tried again. Outputs
/// are written only when their level changes. While nothing happens, the thread sleeps.
///
/// - Thread: any; `onEvent` is called on `cb-lines` and must not wait for the panel.
package final class Panel: Sendable {
    package let settings: PanelSettings
    private let shared = PanelShared()
    private let opener: LineOpener
    private let onEvent: @Sendable (PanelEvent) -> Void
    private let thread = Mutex<RealtimeThread?>(nil)

    package convenience init(settings: PanelSettings, onEvent: @escaping @Sendable (PanelEvent) -> Void) {
        self.init(settings: settings, simulated: SimulatedLines(), onEvent: onEvent)
    }

    /// - Parameter simulated: the lines of the chip `simulated`, for tests that look at them.
    package init(
        settings: PanelSettings, simulated: SimulatedLines, onEvent: @escaping @Sendable (PanelEvent) -> Void
    ) {
        self.settings = settings
        self.onEvent = onEvent
        opener = LineOpener(simulated: simulated)
    }

    deinit {
        stop()
    }

    /// Starts the thread, which opens the lines; further calls do nothing.
    package func start() throws(SystemError) {
        guard !settings.isEmpty else { return }
        try thread.withLock { (thread) throws(SystemError) in
            guard thread == nil else { return }
            let signal = try EventSignal()
            let (settings, shared, opener, onEvent) = (settings, shared, opener, onEvent)
            shared.run(signal)
            do throws(SystemError) {
                thread = try RealtimeThread(
                    name: "cb-lines", wakeSignal: signal, patience: Heartbeat.devicePatience
                ) { stop in
                    PanelLoop(settings: settings, shared: shared, opener: opener, signal: signal, onEvent: onEvent)
                        .run(until: stop)
                }
            } catch {
                shared.run(nil)
                throw error
            }
        }
    }

    /// Makes every output inactive, gives all lines back and ends the thread. A hold that was on is ended by an event.
    /// - Thread: any but `cb-lines`.
    package func stop() {
        thread.withLock { thread in
            guard let running = thread else { return }
            running.stopAndJoin()
            thread = nil
            shared.run(nil)
        }
    }

    /// These indicators are on, and no others.
    package func show(_ indicators: Set<Indicator>) {
        shared.show(indicators)
    }

    /// Pulls a relay for a time, at most for its maximum.
    /// - Parameters:
    ///   - name: may be left out where there is one relay.
    ///   - time: nil: its pulse.
    /// - Returns: why not; nil when it is pulled.
    package func openRelay(_ name: String?, for time: Interval?) -> PanelRefusal? {
        let names = settings.relays.map(\.name)
        guard let first = names.first else { return .noRelay }
        if name == nil, names.count > 1 { return .severalRelays(names) }
        let wanted = name ?? first
        guard names.contains(wanted) else { return .unknownRelay(wanted) }
        guard shared.isRunning else { return .notRunning }
        if let fault = snapshot.first(where: { $0.name == wanted })?.fault {
            return .faulty(name: wanted, text: fault)
        }
        shared.add(PanelShared.RelayOrder(name: wanted, time: time))
        return nil
    }

    /// Presses or releases a button on the chip `simulated`.
    /// - Parameter name: the button's, or its line's.
    /// - Returns: why not; nil when it is done.
    package func setSimulatedLine(_ name: String, active: Bool) -> PanelRefusal? {
        guard let button = button(name) else { return .unknownButton(name) }
        guard case .line(let line) = button.source, line.address.isSimulated else { return .notSimulated(name) }
        guard shared.isRunning else { return .notRunning }
        // As the wire has it: a button between the line and ground pulls it low, which is active all the same.
        opener.simulated.set(line.address.line, isActive: active)
        return nil
    }

    /// All buttons, LEDs and relays as they are now, in the order of the settings; empty before the first start.
    package var snapshot: [LineStatus] { shared.statuses }

    /// How often the thread came back from waiting.
    var wakeCount: Int { shared.wakeCount.load(ordering: .relaxed) }

    private func button(_ name: String) -> ButtonSettings? {
        if let named = settings.buttons.first(where: { $0.name == name }) { return named }
        return settings.buttons.first { button in
            if case .line(let line) = button.source { line.address.line == name } else { false }
        }
    }
}
