import MediaTypes

/// The fields of an RTP header that a sender chooses for each packet.
package struct RTPHeader: Hashable, Sendable, BitwiseCopyable {
    package var payloadType: PayloadType
    package var marker: Bool
    package var sequenceNumber: SequenceNumber
    package var timestamp: RTPTimestamp
    package var ssrc: SSRC

    package init(
        payloadType: PayloadType, marker: Bool, sequenceNumber: SequenceNumber, timestamp: RTPTimestamp, ssrc: SSRC
    ) {
        self.payloadType = payloadType
        self.marker = marker
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.ssrc = ssrc
    }
}
