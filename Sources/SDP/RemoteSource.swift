import MediaTypes

/// An RTP stream that the far side announced on a line. Some stacks announce none: then the line is recognised by its
/// mid extension or payload type.
package struct RemoteSource: Hashable, Sendable {
    package var ssrc: SSRC
    package var retransmissionSSRC: SSRC?
    package var cname: String?
}
