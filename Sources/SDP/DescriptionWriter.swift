import MediaTypes

/// Writes the lines of a description in the order that every known stack accepts (that of RFC 8829's examples).
struct DescriptionWriter {
    private(set) var text = ""

    mutating func line(_ content: String) {
        text += content
        text += "\r\n"
    }

    mutating func attribute(_ name: String, _ value: String? = nil) {
        line(value.map { "a=\(name):\($0)" } ?? "a=\(name)")
    }

    mutating func write(_ media: MediaDescription) {
        line("m=\(media.media) \(media.port) \(media.proto) \(media.formats.joined(separator: " "))")
        line("c=IN IP4 0.0.0.0")
        if let bitrate = media.maximumBitrate { line("b=TIAS:\(bitrate.bitsPerSecond)") }
        writeTransport(media)
        if let mid = media.mid { attribute("mid", mid) }
        if media.isBundleOnly { attribute("bundle-only") }
        for entry in media.extensions { attribute("extmap", "\(entry.id) \(entry.uri)") }
        if media.kind == .data {
            writeDataChannels(media)
        } else {
            attribute(media.direction.rawValue)
            writeStreams(media)
        }
    }

    private mutating func writeTransport(_ media: MediaDescription) {
        if let credentials = media.credentials {
            attribute("ice-ufrag", credentials.ufrag)
            attribute("ice-pwd", credentials.pwd)
        }
        if media.supportsTrickle { attribute("ice-options", "trickle") }
        for fingerprint in media.fingerprints { attribute("fingerprint", fingerprint.attribute) }
        if let setup = media.setup { attribute("setup", setup.rawValue) }
        if let tlsID = media.tlsID { attribute("tls-id", tlsID) }
        for candidate in media.candidates { line("a=\(candidate.text)") }
        if media.hasEndOfCandidates { attribute("end-of-candidates") }
    }

    private mutating func writeStreams(_ media: MediaDescription) {
        if let stream = media.stream { attribute("msid", stream.attribute) }
        if media.multiplexesRTCP { attribute("rtcp-mux") }
        if media.allowsReducedSizeRTCP { attribute("rtcp-rsize") }
        for codec in media.codecs {
            let number = codec.payloadType.rawValue
            let channels = codec.channelCount > 1 ? "/\(codec.channelCount)" : ""
            attribute("rtpmap", "\(number) \(codec.name)/\(codec.clockRateHz)\(channels)")
            for (feedback, name) in RTCPFeedback.names where codec.feedback.contains(feedback) {
                attribute("rtcp-fb", "\(number) \(name)")
            }
            if !codec.parameters.entries.isEmpty { attribute("fmtp", "\(number) \(codec.parameters.text)") }
        }
        for group in media.sourceGroups {
            let numbers = group.ssrcs.map { String($0.rawValue) }.joined(separator: " ")
            attribute("ssrc-group", "\(group.semantics) \(numbers)")
        }
        for source in media.sources {
            if let cname = source.cname { attribute("ssrc", "\(source.ssrc.rawValue) cname:\(cname)") }
            if let stream = source.stream { attribute("ssrc", "\(source.ssrc.rawValue) msid:\(stream.attribute)") }
        }
    }

    private mutating func writeDataChannels(_ media: MediaDescription) {
        if let port = media.sctpPort {
            if media.usesOldSCTPForm {
                attribute("sctpmap", "\(port) webrtc-datachannel 65535")
            } else {
                attribute("sctp-port", String(port))
            }
        }
        if let size = media.maxMessageSize { attribute("max-message-size", String(size)) }
    }
}
