import Calls
import MediaEngine
import PeerConnection
import Rooms

/// One peer connection as status shows it.
package struct ConnectionStatus: Sendable {
    package var id: ConnectionID
    package var state: PeerConnectionState
    package var health: MediaHealth
    /// What is being done about it.
    package var stage: ConnectionLadder.Stage
    package var audio: AudioSourceStatistics?
    package var video: VideoSourceStatistics?
    package var connection: PeerConnectionStatistics?
}
