import MediaTypes

/// The codec of a line, with the numbers of each direction: we send with the far side's numbers and receive with ours.
package struct NegotiatedCodec: Hashable, Sendable {
    /// `opus` or `VP8`.
    package var name: String
    package var clockRateHz: Int
    package var channelCount: Int
    package var sendPayloadType: PayloadType
    package var receivePayloadType: PayloadType
    /// For retransmissions (RFC 4588) to the far side; nil when it takes none, then lost packets are sent again as they
    /// were.
    package var sendRetransmissionPayloadType: PayloadType?
    /// The payload type under which the far side repeats packets of `receivePayloadType`.
    package var receiveRetransmissionPayloadType: PayloadType?
    /// The feedback that both sides understand.
    package var feedback: RTCPFeedback
    /// What the far side asks of us, `a=fmtp`; for Opus for example `useinbandfec`, `usedtx`, `maxaveragebitrate`.
    package var remoteParameters: FormatParameters
}
