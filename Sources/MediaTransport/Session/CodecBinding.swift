import MediaTypes

/// What was negotiated for the codec of one media line.
package struct CodecBinding: Hashable, Sendable {
    package var kind: MediaKind
    /// RTP clock: 48000 for Opus, 90000 for video.
    package var clockRateHz: Int
    /// Nil where nothing may be sent.
    package var sendPayloadType: PayloadType?
    /// Retransmissions by RFC 4588; nil where they repeat the packet as it was.
    package var sendRTXPayloadType: PayloadType?
    /// Every payload type under which the far side may send this codec.
    package var receivePayloadTypes: [PayloadType]
    /// Payload type of a retransmission → payload type of what it carries (`apt`).
    package var receiveRTXPayloadTypes: [PayloadType: PayloadType]
    package var usesNACK: Bool
    package var usesPLI: Bool
    package var usesFIR: Bool
    package var usesREMB: Bool
    package var usesTransportCC: Bool

    package init(
        kind: MediaKind, clockRateHz: Int, sendPayloadType: PayloadType?, sendRTXPayloadType: PayloadType? = nil,
        receivePayloadTypes: [PayloadType], receiveRTXPayloadTypes: [PayloadType: PayloadType] = [:],
        usesNACK: Bool = false, usesPLI: Bool = false, usesFIR: Bool = false, usesREMB: Bool = false,
        usesTransportCC: Bool = false
    ) {
        self.kind = kind
        self.clockRateHz = clockRateHz
        self.sendPayloadType = sendPayloadType
        self.sendRTXPayloadType = sendRTXPayloadType
        self.receivePayloadTypes = receivePayloadTypes
        self.receiveRTXPayloadTypes = receiveRTXPayloadTypes
        self.usesNACK = usesNACK
        self.usesPLI = usesPLI
        self.usesFIR = usesFIR
        self.usesREMB = usesREMB
        self.usesTransportCC = usesTransportCC
    }
}
