import MediaTransport
import MediaTypes
import RTPWire

/// How the two lines of a simulated call are negotiated.
struct LineOptions {
    var usesRTX = true
    var audioNACK = false
    var usesTransportCC = true
    var usesREMB = false
    var usesFIROnly = false
    var announcesSSRCs = false

    /// An audio line 0 and a video line 1, both sending and receiving.
    func lines(ssrcBase: UInt32) -> [MediaLineConfiguration] {
        let map = HeaderExtensionMap(
            audioLevel: 1, absSendTime: 2, transportSequence: usesTransportCC ? 3 : 0, mid: 4, absCaptureTime: 5)
        let audio = CodecBinding(
            kind: .audio, clockRateHz: 48_000, sendPayloadType: PayloadType(111),
            receivePayloadTypes: [PayloadType(111)], usesNACK: audioNACK, usesTransportCC: usesTransportCC)
        let video = CodecBinding(
            kind: .video, clockRateHz: 90_000, sendPayloadType: PayloadType(96),
            sendRTXPayloadType: usesRTX ? PayloadType(97) : nil, receivePayloadTypes: [PayloadType(96)],
            receiveRTXPayloadTypes: usesRTX ? [PayloadType(97): PayloadType(96)] : [:], usesNACK: true,
            usesPLI: !usesFIROnly, usesFIR: true, usesREMB: usesREMB, usesTransportCC: usesTransportCC)
        let other: UInt32 = ssrcBase == 1_000 ? 2_000 : 1_000
        return [
            MediaLineConfiguration(
                lineIndex: 0, mid: "0", codec: audio, sends: true, receives: true, localSSRC: SSRC(ssrcBase + 1),
                localRTXSSRC: SSRC(ssrcBase + 2), remoteSSRCs: announcesSSRCs ? [SSRC(other + 1)] : [],
                extensions: map, cname: "c\(ssrcBase)"),
            MediaLineConfiguration(
                lineIndex: 1, mid: "1", codec: video, sends: true, receives: true, localSSRC: SSRC(ssrcBase + 3),
                localRTXSSRC: SSRC(ssrcBase + 4),
                remoteSSRCs: announcesSSRCs ? [SSRC(other + 3), SSRC(other + 4)] : [],
                remoteRTXSSRCs: announcesSSRCs ? [SSRC(other + 4)] : [], extensions: map, cname: "c\(ssrcBase)"),
        ]
    }
}
