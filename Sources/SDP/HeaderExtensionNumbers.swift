/// The numbers that both sides agreed on for the RTP header extensions this endpoint implements; 0 = not agreed.
package struct HeaderExtensionNumbers: Hashable, Sendable {
    package var audioLevel: UInt8 = 0
    package var absoluteSendTime: UInt8 = 0
    package var transportSequence: UInt8 = 0
    package var mid: UInt8 = 0
    package var absoluteCaptureTime: UInt8 = 0

    package init() {}

    package static let audioLevelURI = "urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    package static let absoluteSendTimeURI = "http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time"
    package static let transportSequenceURI =
        "http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01"
    package static let midURI = "urn:ietf:params:rtp-hdrext:sdes:mid"
    package static let absoluteCaptureTimeURI = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"

    /// What this endpoint offers on a line of this kind, with the numbers that libwebrtc uses where it has one.
    package static func offered(for kind: LineKind) -> [HeaderExtension] {
        let common = [
            HeaderExtension(id: 2, uri: absoluteSendTimeURI), HeaderExtension(id: 3, uri: transportSequenceURI),
            HeaderExtension(id: 4, uri: midURI), HeaderExtension(id: 9, uri: absoluteCaptureTimeURI),
        ]
        switch kind {
        case .audio: return [HeaderExtension(id: 1, uri: audioLevelURI)] + common
        case .video: return common
        case .data: return []
        }
    }

    /// The extensions that both lists have under the same number; another number for the same extension is a mistake of
    /// the answerer (RFC 8285 §6), and that extension is then left unused.
    package init(agreedIn local: [HeaderExtension], and remote: [HeaderExtension]) {
        for entry in local where remote.contains(entry) {
            switch entry.uri {
            case Self.audioLevelURI: audioLevel = entry.id
            case Self.absoluteSendTimeURI: absoluteSendTime = entry.id
            case Self.transportSequenceURI: transportSequence = entry.id
            case Self.midURI: mid = entry.id
            case Self.absoluteCaptureTimeURI: absoluteCaptureTime = entry.id
            default: break
            }
        }
    }
}
