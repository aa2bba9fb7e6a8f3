import MediaTypes

/// What both sides agreed on for one line, in the words of the media transport.
package struct NegotiatedLine: Hashable, Sendable {
    /// The number that ``JSEPSession/addTransceiver(kind:direction:streamID:trackID:)`` returned; it never changes and is
    /// never given to another line.
    package var index: Int
    /// The place in the description (`sdpMLineIndex` of candidates); may differ from `index`.
    package var mediaLineIndex: Int
    /// Empty when the far side does not use mids.
    package var mid: String
    package var kind: LineKind
    /// Refused by one side or stopped; the line will not come back under this index.
    package var isRejected = false
    /// What this endpoint would like.
    package var localDirection: MediaDirection
    /// Whether we may send media now; for data lines whether channels are agreed.
    package var sends = false
    /// Whether the far side may send media now.
    package var receives = false
    /// Nil for data and rejected lines.
    package var codec: NegotiatedCodec?
    package var extensions = HeaderExtensionNumbers()
    package var allowsReducedSizeRTCP = false
    package var localSSRC: SSRC
    package var localRetransmissionSSRC: SSRC
    /// The streams that carry media; usually one or, with a stack that writes no `a=ssrc`, none.
    package var remoteSources: [RemoteSource] = []
    /// The far side's names for what it sends here; nil when it does not send or gives none.
    package var remoteStream: StreamReference?
    /// The most that the far side wants to receive on this line (`b=`).
    package var remoteMaximumBitrate: Bitrate?
}
