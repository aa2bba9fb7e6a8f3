/// The RTCP feedback messages that this endpoint understands (RFC 4585, RFC 5104 and those of libwebrtc).
package struct RTCPFeedback: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let nack = RTCPFeedback(rawValue: 1)
    package static let pictureLossIndication = RTCPFeedback(rawValue: 2)
    package static let fullIntraRequest = RTCPFeedback(rawValue: 4)
    package static let receiverEstimatedMaximumBitrate = RTCPFeedback(rawValue: 8)
    package static let transportWideCongestionControl = RTCPFeedback(rawValue: 16)

    /// Every message with its spelling in `a=rtcp-fb`, in the order in which they are written.
    package static let names: [(feedback: RTCPFeedback, name: String)] = [
        (.receiverEstimatedMaximumBitrate, "goog-remb"),
        (.transportWideCongestionControl, "transport-cc"),
        (.fullIntraRequest, "ccm fir"),
        (.nack, "nack"),
        (.pictureLossIndication, "nack pli"),
    ]

    /// The message with this spelling; nil for one that this endpoint does not understand.
    package init?(name: some StringProtocol) {
        guard let match = Self.names.first(where: { $0.name == name }) else { return nil }
        self = match.feedback
    }
}
