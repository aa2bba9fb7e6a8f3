import MediaTypes

extension JSEPSession {
    /// Asks for a line for one track. As answerer the line takes the place of the first offered line that fits, without
    /// needing an offer of our own.
    /// - Parameters:
    ///   - streamID: the stream that the track belongs to; bytes other than visible ASCII become `_`.
    ///   - trackID: the track's own name, by the same rule.
    /// - Returns: the index by which the line is known from now on.
    package mutating func addTransceiver(
        kind: MediaKind, direction: MediaDirection, streamID: String, trackID: String
    ) -> Int {
        let stream = StreamReference(streamID: Self.plainWord(streamID), trackID: Self.plainWord(trackID))
        if direction.sends, let position = lineMadeForOffer(of: LineKind(kind)) {
            transceivers[position].direction = direction
            transceivers[position].stream = stream
            transceivers[position].isMadeForPendingOffer = false
            preparedAnswer = nil
            return transceivers[position].index
        }
        return append(kind: LineKind(kind), direction: direction, stream: stream)
    }

    /// Asks for data channels. One line carries all of them; asking twice returns the same line.
    @discardableResult
    package mutating func addDataChannelLine() -> Int {
        if let known = transceivers.first(where: { $0.kind == .data && !$0.isStopped && !$0.isFinished }) {
            return known.index
        }
        return append(kind: .data, direction: .sendReceive, stream: StreamReference(streamID: "", trackID: ""))
    }

    /// Changes what this endpoint would like; takes effect with the next exchange. Unknown indices are ignored.
    package mutating func setDirection(_ direction: MediaDirection, line index: Int) {
        guard let position = position(of: index) else { return }
        transceivers[position].direction = direction
        preparedAnswer = nil
    }

    /// Names the stream and track that the line sends from now on. Unknown indices are ignored.
    package mutating func setStream(streamID: String, trackID: String, line index: Int) {
        guard let position = position(of: index) else { return }
        transceivers[position].stream = StreamReference(
            streamID: Self.plainWord(streamID), trackID: Self.plainWord(trackID))
        preparedAnswer = nil
    }

    /// Gives the line up for good; the next offer rejects it and its place may be used again.
    package mutating func stop(line index: Int) {
        guard let position = position(of: index) else { return }
        if transceivers[position].place == nil {
            transceivers.remove(at: position)
        } else {
            transceivers[position].isStopped = true
        }
        preparedAnswer = nil
    }

    /// Uses new ICE credentials in the next offer, or in the answer to an offer that restarts ICE itself. The candidates
    /// known so far are forgotten.
    package mutating func restartICE(ufrag: String, pwd: String) {
        let credentials = ICECredentials(ufrag: ufrag, pwd: pwd)
        precondition(credentials.isValid, "ICE credentials of our own are always well formed")
        restartCredentials = credentials
        localCandidates.removeAll()
        hasAllLocalCandidates = false
        preparedOffer = nil
        preparedAnswer = nil
    }

    /// Remembers a candidate of ours, so that later descriptions carry it too (for far sides without trickle ICE).
    package mutating func addLocalCandidate(_ candidate: ICECandidate) {
        guard localCandidates.count < SessionDescription.maximumEntriesPerLine, !localCandidates.contains(candidate)
        else { return }
        localCandidates.append(candidate)
    }

    /// Remembers that no more candidates of ours follow.
    package mutating func endLocalCandidates() {
        hasAllLocalCandidates = true
    }

    func position(of index: Int) -> Int? { transceivers.firstIndex { $0.index == index } }

    func position(atMediaLine mediaLineIndex: Int) -> Int? {
        transceivers.firstIndex { $0.place?.mediaLineIndex == mediaLineIndex }
    }

    @discardableResult
    mutating func append(kind: LineKind, direction: MediaDirection, stream: StreamReference) -> Int {
        let index = nextIndex
        nextIndex += 1
        transceivers.append(
            Transceiver(
                index: index, kind: kind, direction: direction, stream: stream, ssrc: ssrcs.next(),
                retransmissionSSRC: ssrcs.next()))
        return index
    }

    /// A line that the offer being answered brought, which we only receive on and the far side would receive on too.
    private func lineMadeForOffer(of kind: LineKind) -> Int? {
        guard signalingState == .haveRemoteOffer, let offer = pendingRemote else { return nil }
        return transceivers.firstIndex { transceiver in
            guard transceiver.isMadeForPendingOffer, transceiver.kind == kind, !transceiver.direction.sends,
                let place = transceiver.place
            else { return false }
            return offer.lines[place.mediaLineIndex].direction.receives
        }
    }
}
