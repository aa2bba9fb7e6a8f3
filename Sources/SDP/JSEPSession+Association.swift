import MediaTypes

extension JSEPSession {
    /// Which offered lines this endpoint can take: one transport, RTCP multiplexed, a codec in common.
    func acceptableLines(of offer: SessionDescription) -> [Bool] {
        var accepted = [Bool](repeating: false, count: offer.lines.count)
        let bundle = offer.bundleGroups.first.map { Set($0) }
        var hasData = false
        for (index, line) in offer.lines.enumerated() where !line.isRejected && isUsable(line) {
            if let bundle {
                guard let mid = line.mid, bundle.contains(mid) else { continue }
            } else if accepted.contains(true) {
                // Without BUNDLE each line wants a transport of its own, and we have one.
                continue
            }
            if line.kind == .data {
                if hasData { continue }
                hasData = true
            }
            accepted[index] = true
        }
        return accepted
    }

    private func isUsable(_ line: MediaDescription) -> Bool {
        guard let kind = line.kind else { return false }
        guard let mediaKind = kind.mediaKind else {
            return ["UDP/DTLS/SCTP", "TCP/DTLS/SCTP", "DTLS/SCTP"].contains(line.proto) && line.sctpPort != 0
        }
        let codec = CodecCatalogue.codec(for: mediaKind, options: options)
        return ["UDP/TLS/RTP/SAVPF", "UDP/TLS/RTP/SAVP", "RTP/SAVPF", "TCP/DTLS/RTP/SAVPF"].contains(line.proto)
            && line.multiplexesRTCP && line.codecs.contains { $0.isSameCodec(as: codec) }
    }

    /// Joins an offered line with one of ours, or makes one that only receives (RFC 8829 §5.10).
    mutating func associate(_ line: MediaDescription, at index: Int, isAccepted: Bool) {
        if let position = position(atMediaLine: index) {
            let known = transceivers[position]
            if known.place?.mid == line.mid ?? "" || line.mid == nil, !known.isFinished { return }
            transceivers[position].place = nil
        }
        guard isAccepted, let kind = line.kind else { return }
        let place = Transceiver.Place(mediaLineIndex: index, mid: line.mid ?? "")
        if let position = waitingLine(for: kind, offered: line.direction) {
            transceivers[position].place = place
            return
        }
        append(
            kind: kind, direction: kind == .data ? .sendReceive : .receiveOnly,
            stream: StreamReference(streamID: "", trackID: ""))
        transceivers[transceivers.count - 1].isMadeForPendingOffer = true
        transceivers[transceivers.count - 1].place = place
    }

    /// The line of ours that fits best: one that can send if the far side would receive, else one that only receives.
    private func waitingLine(for kind: LineKind, offered: MediaDirection) -> Int? {
        let waiting = transceivers.indices.filter {
            transceivers[$0].isWaitingForPlace && transceivers[$0].kind == kind
        }
        if kind == .data { return waiting.first }
        if offered.receives, let sender = waiting.first(where: { transceivers[$0].direction.sends }) { return sender }
        return waiting.first { !transceivers[$0].direction.sends && offered.sends }
    }
}
