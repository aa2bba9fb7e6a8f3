import MediaTypes

/// One RTP stream announced on a line: `a=ssrc` with its attributes (RFC 5576).
package struct MediaSource: Hashable, Sendable {
    package var ssrc: SSRC
    package var cname: String?
    /// The older place of the stream's name (`a=ssrc:… msid:`), used where a line has no `a=msid`.
    package var stream: StreamReference?

    package init(ssrc: SSRC, cname: String? = nil, stream: StreamReference? = nil) {
        self.ssrc = ssrc
        self.cname = cname
        self.stream = stream
    }
}
