import MediaTypes

/// RTP streams that belong together, `a=ssrc-group` (RFC 5576 §4.2): `FID` joins a stream and its retransmissions.
package struct MediaSourceGroup: Hashable, Sendable {
    package var semantics: String
    package var ssrcs: [SSRC]

    package init(semantics: String, ssrcs: [SSRC]) {
        self.semantics = semantics
        self.ssrcs = ssrcs
    }
}
