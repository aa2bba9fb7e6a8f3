/// URIs of the RTP header extensions that Callbox negotiates in SDP.
package enum HeaderExtensionURI {
    /// RFC 6464.
    package static let audioLevel = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    /// When the packet left the sender, 6.18 fixed-point seconds.
    package static let absSendTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
    /// draft-holmer-rmcat-transport-wide-cc-extensions-01.
    package static let transportSequence =
        "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    /// RFC 9143: the media line that a packet belongs to.
    package static let mid = "urn:ietf:params:rtp-hdrext:sdes:mid"
    /// When the content was captured, on the sender's NTP clock.
    package static let absCaptureTime = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"
}

/// Which local identifier each header extension has on one media line; 0 where it was not negotiated.
package struct HeaderExtensionMap: Hashable, Sendable, BitwiseCopyable {
    package var audioLevel: UInt8
    package var absSendTime: UInt8
    package var transportSequence: UInt8
    package var mid: UInt8
    package var absCaptureTime: UInt8

    package init(
        audioLevel: UInt8 = 0, absSendTime: UInt8 = 0, transportSequence: UInt8 = 0, mid: UInt8 = 0,
        absCaptureTime: UInt8 = 0
    ) {
        self.audioLevel = audioLevel
        self.absSendTime = absSendTime
        self.transportSequence = transportSequence
        self.mid = mid
        self.absCaptureTime = absCaptureTime
    }

    /// Takes over one `a=extmap` entry.
    /// - Returns: whether the URI is one that Callbox uses.
    @discardableResult
    package mutating func assign(_ id: UInt8, uri: String) -> Bool {
        switch uri {
        case HeaderExtensionURI.audioLevel: audioLevel = id
        case HeaderExtensionURI.absSendTime: absSendTime = id
        case HeaderExtensionURI.transportSequence: transportSequence = id
        case HeaderExtensionURI.mid: mid = id
        case HeaderExtensionURI.absCaptureTime: absCaptureTime = id
        default: return false
        }
        return true
    }
}
