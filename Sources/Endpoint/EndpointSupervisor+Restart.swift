import Calls
import MediaTypes
import Realtime
import Telemetry

/// The restart for which an upgrade asks: the new program is there already, and a call that is on goes on.
extension EndpointSupervisor {
    /// Longer than a call at a door takes; a wish older than this is fulfilled whoever talks.
    package static let longestRestartDelay = Interval.seconds(3_600)

    func restartWhenIdle(within delay: Interval, at now: MonotonicTime) {
        let deadline = now + delay
        restartDeadline = min(restartDeadline ?? deadline, deadline)
        Log.notice("endpoint", isInUse ? "restarts when nobody talks" : "restarts now")
    }

    /// A call, or a room in which people see and hear each other through this endpoint.
    var isInUse: Bool {
        if core.call.state != .idle || core.speak.state == .speaking { return true }
        return core.players.values.contains { $0.session.state == .playing }
    }

    /// Begins to leave when a restart is wanted and the time has come.
    func restartIfDue(at now: MonotonicTime) {
        guard let restartDeadline, !isFinishing, !isInUse || now >= restartDeadline, !isRestarting else { return }
        if isInUse { Log.warning("endpoint", "restarts in the middle of a call: the restart has waited long enough") }
        isRestarting = true
        if let restart = hooks.restart { restart() } else { leave() }
    }

    /// Tells the service manager how the endpoint is, when that is news.
    func tellStatus() {
        guard let tell = hooks.status else { return }
        let line = StatusLine(
            room: settings.room, isRoomNamed: settings.isRoomNamed, state: core.room.state, reason: reason,
            call: core.call.state,
            partner: core.call.partner ?? core.call.targets.first, otherCount: core.presentParticipants.count,
            faultCount: core.faults.count, isRestartWanted: restartDeadline != nil)
        guard line != toldStatus else { return }
        toldStatus = line
        tell(line.text)
    }
}
