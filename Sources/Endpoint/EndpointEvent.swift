import Calls
import Rooms

/// Everything that can happen to the supervisor, in the one queue that it works off in order.
enum EndpointEvent: Sendable {
    case room(RoomEvent)
    case router(RouterEvent)
    case joinFinished(attempt: Int, JoinResult)
    case leaveFinished
    case timer
    case leaveRequested

    enum JoinResult: Sendable {
        case joined
        case failed(RoomReason)
    }
}
