import MediaTypes

/// One packet of an RTCP compound, decoded as far as Callbox uses it; views in it live as long as the compound's bytes.
package enum RTCPBlock {
    case senderReport(SenderReport, reports: ReceptionReportList)
    case receiverReport(sender: SSRC, reports: ReceptionReportList)
    case sourceDescription(SourceDescriptionList)
    case bye(SSRCList)
    /// RFC 4585 §6.2.1: these packets are missing.
    case nack(media: SSRC, SequenceNumberList)
    /// RFC 4585 §6.3.1: the picture is lost.
    case pictureLoss(media: SSRC)
    /// RFC 5104 §4.3.1: send a whole picture.
    case fullIntraRequest(FullIntraRequestList)
    /// draft-alvestrand-rmcat-remb-03: no more than this bit rate, over all these streams.
    case maximumBitrate(Bitrate, SSRCList)
    /// draft-holmer-rmcat-transport-wide-cc-extensions-01.
    case transportFeedback(TransportFeedbackView)
    /// Well-formed, but not of a kind that Callbox uses.
    case other(packetType: UInt8, format: UInt8)
    /// Of a kind that Callbox uses, but its content contradicts its length; to be counted and dropped.
    case malformed(packetType: UInt8)
}

/// Numbers of RTCP packet types and feedback formats.
enum RTCPPacketType {
    static let senderReport: UInt8 = 200
    static let receiverReport: UInt8 = 201
    static let sourceDescription: UInt8 = 202
    static let bye: UInt8 = 203
    static let transportLayerFeedback: UInt8 = 205
    static let payloadSpecificFeedback: UInt8 = 206
    /// Formats of transport-layer feedback.
    static let nackFormat: UInt8 = 1
    static let transportWideFormat: UInt8 = 15
    /// Formats of payload-specific feedback.
    static let pictureLossFormat: UInt8 = 1
    static let fullIntraRequestFormat: UInt8 = 4
    static let applicationLayerFormat: UInt8 = 15
    /// "REMB"
    static let maximumBitrateName: UInt32 = 0x5245_4D42
}
