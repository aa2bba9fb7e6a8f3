import MediaTypes

/// The codecs of this endpoint and the rules by which payload types are given.
enum CodecCatalogue {
    static let opus = RTPCodec(
        payloadType: PayloadType(111), name: "opus", clockRateHz: 48_000, channelCount: 2,
        feedback: .transportWideCongestionControl)
    static let vp8 = RTPCodec(
        payloadType: PayloadType(96), name: "VP8", clockRateHz: 90_000,
        feedback: [
            .receiverEstimatedMaximumBitrate, .transportWideCongestionControl, .fullIntraRequest, .nack,
            .pictureLossIndication,
        ])
    static let retransmission = RTPCodec(payloadType: PayloadType(97), name: "rtx", clockRateHz: 90_000)

    /// The codec for tracks of this kind.
    static func codec(for kind: MediaKind, options: JSEPOptions) -> RTPCodec {
        switch kind {
        case .video: return vp8
        case .audio:
            var codec = opus
            codec.parameters.entries = [.init(name: "minptime", value: "10"), .init(name: "useinbandfec", value: "1")]
            if options.usesDiscontinuousTransmission {
                codec.parameters.entries.append(.init(name: "usedtx", value: "1"))
            }
            if let bitrate = options.maximumAudioBitrate {
                codec.parameters.entries.append(
                    .init(name: "maxaveragebitrate", value: String(bitrate.bitsPerSecond)))
            }
            return codec
        }
    }

    /// The payload format of retransmissions for `codec` in a list.
    static func retransmission(of codec: RTPCodec, in codecs: [RTPCodec]) -> RTPCodec? {
        codecs.first { $0.associatedPayloadType == codec.payloadType && $0.clockRateHz == codec.clockRateHz }
    }

    /// A retransmission format with this number for the codec numbered `associated`.
    static func retransmission(_ type: PayloadType, of associated: PayloadType) -> RTPCodec {
        var codec = retransmission
        codec.payloadType = type
        codec.parameters = FormatParameters([.init(name: "apt", value: String(associated.rawValue))])
        return codec
    }

    /// A payload type for a new line: the one that the connection already uses for the codec, else the wanted one, else a
    /// free dynamic one. In a bundle a number must not mean two things (RFC 9143 §10.1.1).
    static func payloadType(for codec: RTPCodec, knownCodecs: [RTPCodec], taken: Set<PayloadType>) -> PayloadType {
        if codec.name != "rtx", let known = knownCodecs.first(where: { $0.isSameCodec(as: codec) }) {
            return known.payloadType
        }
        let used = Set(knownCodecs.map(\.payloadType)).union(taken)
        // 64 … 95 would be mistaken for RTCP (RFC 5761 §4).
        let candidates = [codec.payloadType] + (96...127).map { PayloadType($0) } + (35...63).map { PayloadType($0) }
        return candidates.first { !used.contains($0) } ?? codec.payloadType
    }
}
