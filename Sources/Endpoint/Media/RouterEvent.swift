import Calls
import PeerConnection
import Rooms

/// What the network thread tells the supervisor. Never media.
package enum RouterEvent: Sendable {
    /// To be carried to the other side by the room service.
    case signal(ConnectionID, ConnectionSignal)
    /// `closed` comes only for a connection that the router gave up by itself: its participant was lost.
    case connectionChanged(ConnectionID, PeerConnectionState)
    case connectionFailed(ConnectionID, reason: String)
    case healthChanged(ConnectionID, MediaHealth)
    /// Nothing but a new join can bring media back. The connections that are left live on.
    case rejoinWanted(reason: String)
}
