import Calls
import PeerConnection
import Rooms

/// What the network thread tells the supervisor. Never media.
package enum RouterEvent: Sendable {
    /// To be carried to the other side by the room service.
    case signal(ConnectionID, ConnectionSignal)
    case connectionChanged(ConnectionID, PeerConnectionState)
    case connectionFailed(ConnectionID, reason: String)
}
