import MediaTypes

/// One `m=` line with the attributes that this endpoint understands; everything else is dropped while parsing, so that
/// it can never be repeated to another side.
package struct MediaDescription: Equatable, Sendable {
    /// The word after `m=`: `audio`, `video`, `application` or something this endpoint rejects.
    package var media: String
    /// 0 rejects the line (or, in an offer with `isBundleOnly`, makes it live only inside the bundle).
    package var port: Int
    package var proto: String
    /// Payload types, or `webrtc-datachannel`, as written.
    package var formats: [String]
    package var mid: String?
    package var isBundleOnly = false
    package var direction = MediaDirection.sendReceive
    package var credentials: ICECredentials?
    package var supportsTrickle = false
    package var fingerprints: [Fingerprint] = []
    package var setup: DTLSSetup?
    /// Names the DTLS association (RFC 8842 §4): another one means another association. Browsers write none.
    package var tlsID: String?
    package var multiplexesRTCP = false
    package var allowsReducedSizeRTCP = false
    package var codecs: [RTPCodec] = []
    package var extensions: [HeaderExtension] = []
    package var stream: StreamReference?
    package var sources: [MediaSource] = []
    package var sourceGroups: [MediaSourceGroup] = []
    package var candidates: [ICECandidate] = []
    package var hasEndOfCandidates = false
    package var sctpPort: UInt16?
    /// In bytes; 0 = no limit.
    package var maxMessageSize: Int?
    /// From `b=TIAS` or `b=AS`: how much the writer wants to receive at most.
    package var maximumBitrate: Bitrate?

    package init(media: String, port: Int, proto: String, formats: [String]) {
        self.media = media
        self.port = port
        self.proto = proto
        self.formats = formats
    }

    package var kind: LineKind? { LineKind(rawValue: media) }

    /// Whether the line is refused or switched off for good; its place may be taken by another line.
    package var isRejected: Bool { port == 0 && !isBundleOnly }

    /// Whether the line describes data channels in the form of drafts before RFC 8841 (`DTLS/SCTP 5000`).
    package var usesOldSCTPForm: Bool { proto == "DTLS/SCTP" }

    /// The streams that carry media, without those that only repeat or protect another one.
    package var primarySources: [MediaSource] {
        let secondary = Set(
            sourceGroups.filter { $0.semantics == "FID" || $0.semantics == "FEC-FR" }.flatMap { $0.ssrcs.dropFirst() })
        return sources.filter { !secondary.contains($0.ssrc) }
    }

    /// The stream on which lost packets of `ssrc` are repeated.
    package func retransmissionSource(of ssrc: SSRC) -> SSRC? {
        sourceGroups.first { $0.semantics == "FID" && $0.ssrcs.first == ssrc && $0.ssrcs.count > 1 }?.ssrcs[1]
    }

    /// The stream and track named by the line itself or, as older stacks do, by its sources.
    package var announcedStream: StreamReference? {
        stream ?? primarySources.lazy.compactMap(\.stream).first
    }
}
