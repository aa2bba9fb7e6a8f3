import MediaTypes
import RTPWire

/// Everything that a `MediaSession` needs to know of one negotiated media line.
package struct MediaLineConfiguration: Hashable, Sendable {
    /// Position in the SDP; names the line in every call and output.
    package var lineIndex: Int
    package var mid: String
    package var codec: CodecBinding
    /// Whether packets may go out, and whether they are taken in.
    package var sends: Bool
    package var receives: Bool
    package var localSSRC: SSRC
    package var localRTXSSRC: SSRC
    /// SSRCs that the far side announced for this line (`a=ssrc`), retransmission streams included; may be empty.
    package var remoteSSRCs: [SSRC]
    /// Those of `remoteSSRCs` that carry retransmissions only (second of an `FID` group).
    package var remoteRTXSSRCs: [SSRC]
    package var extensions: HeaderExtensionMap
    package var cname: String

    package var kind: MediaKind { codec.kind }

    package init(
        lineIndex: Int, mid: String, codec: CodecBinding, sends: Bool, receives: Bool, localSSRC: SSRC,
        localRTXSSRC: SSRC, remoteSSRCs: [SSRC] = [], remoteRTXSSRCs: [SSRC] = [],
        extensions: HeaderExtensionMap = HeaderExtensionMap(), cname: String = ""
    ) {
        self.lineIndex = lineIndex
        self.mid = mid
        self.codec = codec
        self.sends = sends
        self.receives = receives
        self.localSSRC = localSSRC
        self.localRTXSSRC = localRTXSSRC
        self.remoteSSRCs = remoteSSRCs
        self.remoteRTXSSRCs = remoteRTXSSRCs
        self.extensions = extensions
        self.cname = cname
    }
}
