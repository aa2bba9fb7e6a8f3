import MediaTransport

/// Takes the media of a peer connection, on `cb-net`; must not block and must copy what it keeps.
package protocol PeerConnectionMediaSink: AnyObject {
    /// One Opus packet; its payload is valid during the call.
    func received(audio packet: ReceivedAudioPacket, line: Int)
    /// One complete picture; its bytes are valid during the call.
    func received(video frame: ReceivedVideoFrame, line: Int)
}
