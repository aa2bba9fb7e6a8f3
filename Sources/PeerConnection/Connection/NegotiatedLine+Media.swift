import MediaTransport
import MediaTypes
import RTPWire
import SDP

extension NegotiatedLine {
    /// The line as `MediaSession` takes it; nil for data and for rejected lines.
    func mediaConfiguration(cname: String) -> MediaLineConfiguration? {
        guard let kind = kind.mediaKind, let codec, !isRejected else { return nil }
        let binding = CodecBinding(
            kind: kind, clockRateHz: codec.clockRateHz, sendPayloadType: codec.sendPayloadType,
            sendRTXPayloadType: codec.sendRetransmissionPayloadType,
            receivePayloadTypes: [codec.receivePayloadType],
            receiveRTXPayloadTypes: codec.receiveRetransmissionPayloadType.map { [$0: codec.receivePayloadType] }
                ?? [:],
            usesNACK: codec.feedback.contains(.nack), usesPLI: codec.feedback.contains(.pictureLossIndication),
            usesFIR: codec.feedback.contains(.fullIntraRequest),
            usesREMB: codec.feedback.contains(.receiverEstimatedMaximumBitrate),
            usesTransportCC: codec.feedback.contains(.transportWideCongestionControl))
        let map = HeaderExtensionMap(
            audioLevel: extensions.audioLevel, absSendTime: extensions.absoluteSendTime,
            transportSequence: extensions.transportSequence, mid: extensions.mid,
            absCaptureTime: extensions.absoluteCaptureTime)
        let repeats = remoteSources.compactMap(\.retransmissionSSRC)
        return MediaLineConfiguration(
            lineIndex: index, mid: mid, codec: binding, sends: sends, receives: receives,
            localSSRC: localSSRC, localRTXSSRC: localRetransmissionSSRC,
            remoteSSRCs: remoteSources.map(\.ssrc) + repeats, remoteRTXSSRCs: repeats, extensions: map,
            cname: cname)
    }
}
