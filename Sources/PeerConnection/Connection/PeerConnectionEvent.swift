import MediaTypes
import SDP

/// What a peer connection tells its owner; delivered on `cb-net`, in order, never from inside a call to the connection.
package enum PeerConnectionEvent: Sendable {
    /// To be signalled to the far side. Candidates that are known already stand inside.
    case localDescription(type: DescriptionType, sdp: String)
    /// To be signalled after the description; starts with `candidate:`.
    case localCandidate(candidate: String, mid: String, lineIndex: Int)
    case endOfCandidates
    case stateChanged(PeerConnectionState)
    /// The far side may send on the line from now on. The line is the one that `addTransceiver` returned, or a new one.
    case remoteTrack(line: Int, kind: MediaKind, streamID: String, trackID: String)
    case trackRemoved(line: Int)
    /// The far side needs a key frame of what the line sends.
    case keyFrameRequested(line: Int)
    /// What all that this connection sends may take.
    case bitrateAllowed(Bitrate)
    /// Messages may be sent on the channel of this label.
    case dataChannelOpened(label: String)
    case dataChannelClosed(label: String)
    case messageReceived(label: String, text: String)
    /// Why the state becomes `failed`; comes before that change.
    case failed(reason: String)
}
