import MediaTypes

/// Collects the attributes of one line (or of the session, whose values are the defaults of its lines).
struct LineReader {
    private(set) var line: MediaDescription
    private var direction: MediaDirection?
    private var ufrag: String?
    private var pwd: String?
    private var formatsByType: [UInt8: RTPCodec] = [:]
    private var parametersByType: [UInt8: FormatParameters] = [:]
    private var feedbackByType: [UInt8: RTCPFeedback] = [:]
    private var feedbackForAll: RTCPFeedback = []
    private var positionBySSRC: [SSRC: Int] = [:]
    private static let limit = SessionDescription.maximumEntriesPerLine

    init(line: MediaDescription) {
        self.line = line
    }

    mutating func readAttribute(_ name: String, _ value: String) {
        switch name {
        case "sendrecv", "sendonly", "recvonly", "inactive": direction = MediaDirection(rawValue: name)
        case "mid": if line.mid == nil, AttributeText.isPlainWord(value, maximumBytes: 64) { line.mid = value }
        case "bundle-only": line.isBundleOnly = true
        case "setup": line.setup = DTLSSetup(rawValue: value)
        case "rtcp-mux": line.multiplexesRTCP = true
        case "rtcp-rsize": line.allowsReducedSizeRTCP = true
        case "extmap": readExtension(value)
        case "msid": if line.stream == nil { line.stream = StreamReference(attribute: value) }
        case "rtpmap": readFormat(value)
        case "fmtp": readParameters(value)
        case "rtcp-fb": readFeedback(value)
        case "ssrc": readSource(value)
        case "ssrc-group": readSourceGroup(value)
        case "sctp-port": line.sctpPort = UInt16(value)
        case "sctpmap":
            if line.sctpPort == nil { line.sctpPort = AttributeText.words(value).first.flatMap { UInt16($0) } }
        case "max-message-size": line.maxMessageSize = Int(value).flatMap { $0 < 0 ? nil : $0 }
        default: readTransportAttribute(name, value)
        }
    }

    mutating func readBandwidth(_ value: String) {
        let (kind, number) = AttributeText.split(value, at: UInt8(ascii: ":"))
        guard let number = number.flatMap({ UInt32($0) }) else { return }
        switch kind {
        case "TIAS": line.maximumBitrate = Bitrate(bitsPerSecond: Int(number))
        case "AS": if line.maximumBitrate == nil { line.maximumBitrate = .kilobitsPerSecond(Int(number)) }
        default: break
        }
    }

    /// The line with the session's defaults filled in.
    func finish(defaults: LineReader) -> MediaDescription {
        var line = line
        line.direction = direction ?? defaults.direction ?? .sendReceive
        if let ufrag = ufrag ?? defaults.ufrag, let pwd = pwd ?? defaults.pwd {
            let credentials = ICECredentials(ufrag: ufrag, pwd: pwd)
            line.credentials = credentials.isValid ? credentials : nil
        }
        line.supportsTrickle = line.supportsTrickle || defaults.line.supportsTrickle
        line.hasEndOfCandidates = line.hasEndOfCandidates || defaults.line.hasEndOfCandidates
        line.setup = line.setup ?? defaults.line.setup
        line.tlsID = line.tlsID ?? defaults.line.tlsID
        if line.fingerprints.isEmpty { line.fingerprints = defaults.line.fingerprints }
        // A stable sort by hand: SHA-256, which every stack has, comes first.
        line.fingerprints =
            line.fingerprints.filter { $0.algorithm == .sha256 } + line.fingerprints.filter { $0.algorithm != .sha256 }
        if line.extensions.isEmpty { line.extensions = defaults.line.extensions }
        if line.usesOldSCTPForm, line.sctpPort == nil { line.sctpPort = line.formats.first.flatMap { UInt16($0) } }
        for format in line.formats {
            guard let type = UInt8(format), var codec = formatsByType[type],
                !line.codecs.contains(where: { $0.payloadType == codec.payloadType })
            else { continue }
            codec.parameters = parametersByType[type] ?? FormatParameters()
            codec.feedback = (feedbackByType[type] ?? []).union(feedbackForAll)
            line.codecs.append(codec)
        }
        return line
    }

    private mutating func readTransportAttribute(_ name: String, _ value: String) {
        switch name {
        case "ice-ufrag": ufrag = value
        case "ice-pwd": pwd = value
        case "ice-options": if AttributeText.words(value).contains("trickle") { line.supportsTrickle = true }
        case "fingerprint":
            guard line.fingerprints.count < 8, let fingerprint = Fingerprint(attribute: value) else { return }
            line.fingerprints.append(fingerprint)
        case "candidate":
            guard line.candidates.count < Self.limit, let candidate = ICECandidate(parsing: value) else { return }
            line.candidates.append(candidate)
        case "end-of-candidates": line.hasEndOfCandidates = true
        case "tls-id": if LocalTransport.isTLSID(value) { line.tlsID = value }
        default: break
        }
    }

    private mutating func readExtension(_ value: String) {
        let words = AttributeText.words(value, limit: 4)
        guard words.count >= 2, line.extensions.count < Self.limit,
            AttributeText.isPlainWord(words[1], maximumBytes: 256)
        else { return }
        let (number, direction) = AttributeText.split(words[0], at: UInt8(ascii: "/"))
        // 15 is reserved in the one-byte form; numbers from 256 on only ask for a number (RFC 8285 §6).
        guard let id = UInt8(number), id > 0, id != 15, direction != "inactive",
            !line.extensions.contains(where: { $0.id == id || $0.uri == words[1] })
        else { return }
        line.extensions.append(HeaderExtension(id: id, uri: words[1]))
    }

    private mutating func readFormat(_ value: String) {
        let words = AttributeText.words(value, limit: 3)
        guard words.count >= 2, let type = UInt8(words[0]), type < 128, formatsByType[type] == nil else { return }
        let parts = words[1].utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        guard parts.count >= 2, AttributeText.isPlainWord(parts[0], maximumBytes: 64), let clockRate = Int(parts[1]),
            (1...1_000_000).contains(clockRate)
        else { return }
        let channels = parts.count > 2 ? Int(parts[2]) ?? 1 : 1
        formatsByType[type] = RTPCodec(
            payloadType: PayloadType(type), name: parts[0], clockRateHz: clockRate,
            channelCount: min(max(channels, 1), 255))
    }

    private mutating func readParameters(_ value: String) {
        let (number, rest) = AttributeText.split(value, at: UInt8(ascii: " "))
        guard let type = UInt8(number), let rest, parametersByType[type] == nil else { return }
        parametersByType[type] = FormatParameters(parsing: rest)
    }

    private mutating func readFeedback(_ value: String) {
        let words = AttributeText.words(value, limit: 4)
        guard words.count >= 2, let feedback = RTCPFeedback(name: words.dropFirst().joined(separator: " ")) else {
            return
        }
        if words[0] == "*" {
            feedbackForAll.insert(feedback)
        } else if let type = UInt8(words[0]) {
            feedbackByType[type, default: []].insert(feedback)
        }
    }

    private mutating func readSource(_ value: String) {
        let (number, rest) = AttributeText.split(value, at: UInt8(ascii: " "))
        guard let raw = UInt32(number), let rest else { return }
        let ssrc = SSRC(raw)
        let position: Int
        if let known = positionBySSRC[ssrc] {
            position = known
        } else {
            guard line.sources.count < Self.limit else { return }
            position = line.sources.count
            positionBySSRC[ssrc] = position
            line.sources.append(MediaSource(ssrc: ssrc))
        }
        let (name, text) = AttributeText.split(rest, at: UInt8(ascii: ":"))
        guard let text else { return }
        switch name {
        case "cname" where AttributeText.isPlainWord(text, maximumBytes: 255): line.sources[position].cname = text
        case "msid": line.sources[position].stream = StreamReference(attribute: text)
        default: break
        }
    }

    private mutating func readSourceGroup(_ value: String) {
        let words = AttributeText.words(value, limit: 16)
        guard words.count >= 2, line.sourceGroups.count < Self.limit,
            AttributeText.isPlainWord(words[0], maximumBytes: 16)
        else { return }
        let ssrcs = words.dropFirst().compactMap { UInt32($0).map { SSRC($0) } }
        guard ssrcs.count == words.count - 1 else { return }
        line.sourceGroups.append(MediaSourceGroup(semantics: words[0], ssrcs: ssrcs))
    }
}
