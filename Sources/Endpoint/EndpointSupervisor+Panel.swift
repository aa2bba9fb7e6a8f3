import Calls
import MediaTypes
import Panel
import Realtime
import Telemetry

/// Buttons, LEDs and relays.
extension EndpointSupervisor {
    /// An endpoint whose panel cannot start still joins its room.
    func startPanel() {
        do throws(SystemError) {
            try panel?.start()
        } catch {
            Log.error("panel", "\(error)")
        }
    }

    func handle(_ event: PanelEvent, at now: MonotonicTime) {
        switch event {
        case .gesture(let button, let gesture):
            press(button, gesture, at: now)
        case .stuck, .released, .lineFault, .lineRecovered:
            // The panel has logged it; the fault LED follows from its snapshot.
            break
        }
    }

    private func press(_ button: String, _ gesture: ButtonGesture, at now: MonotonicTime) {
        guard let action = settings.panel.action(for: gesture, of: button, in: core.call.state) else {
            Log.info("panel", "\(button): \(gesture.rawValue) means nothing while \(core.call.state.rawValue)")
            return
        }
        Log.notice("panel", "\(button): \(gesture.rawValue): \(action.rawValue)")
        if action == .talk {
            core.setTalking(gesture != .holdEnded, at: now)
            return
        }
        guard gesture != .holdEnded else { return }
        do throws(ActionError) {
            try core.perform(action, at: now)
        } catch {
            // Nobody reads this at the device; the LEDs tell what is possible.
            Log.notice("panel", "\(button): \(error)")
        }
    }

    func openRelay(_ name: String?, for time: Interval?) {
        guard let panel else { return Log.warning("panel", "no relay is configured") }
        if let refusal = panel.openRelay(name, for: time) { Log.warning("panel", "\(refusal)") }
    }
}
