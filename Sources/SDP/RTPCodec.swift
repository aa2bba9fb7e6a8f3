import MediaTypes

/// One payload type of a media line: `a=rtpmap` with its `a=fmtp` and `a=rtcp-fb`.
package struct RTPCodec: Hashable, Sendable {
    package var payloadType: PayloadType
    /// As registered, for example `opus`, `VP8`, `rtx`; compared without regard to case.
    package var name: String
    package var clockRateHz: Int
    package var channelCount: Int
    package var parameters: FormatParameters
    package var feedback: RTCPFeedback

    package init(
        payloadType: PayloadType, name: String, clockRateHz: Int, channelCount: Int = 1,
        parameters: FormatParameters = FormatParameters(), feedback: RTCPFeedback = []
    ) {
        self.payloadType = payloadType
        self.name = name
        self.clockRateHz = clockRateHz
        self.channelCount = channelCount
        self.parameters = parameters
        self.feedback = feedback
    }

    /// Whether both describe the same codec, whatever their numbers and parameters.
    package func isSameCodec(as other: RTPCodec) -> Bool {
        clockRateHz == other.clockRateHz && channelCount == other.channelCount
            && name.lowercased() == other.name.lowercased()
    }

    /// For a retransmission format (RFC 4588): the payload type that it repeats.
    package var associatedPayloadType: PayloadType? {
        guard name.lowercased() == "rtx" else { return nil }
        return parameters.integer("apt").flatMap { UInt8(exactly: $0) }.map { PayloadType($0) }
    }
}
