import Calls
import Panel
import Realtime
import Rooms

/// Everything that can happen to the supervisor, in the one queue that it works off in order.
enum EndpointEvent: Sendable {
    case room(RoomEvent)
    case router(RouterEvent)
    case panel(PanelEvent)
    case joinFinished(attempt: Int, JoinResult)
    case leaveFinished
    case published(request: Int, RoomReason?)
    case networkChanged([NetworkChange])
    case clockSet
    /// A simulated button is let go.
    case pressEnded(line: String)
    case timer
    /// Nothing has happened; the watchdog asks whether anybody is there.
    case heartbeat
    case leaveRequested

    enum JoinResult: Sendable {
        case joined(JoinedRoom)
        case failed(RoomReason)
    }
}
