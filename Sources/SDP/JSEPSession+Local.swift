extension JSEPSession {
    /// Applies a description of ours.
    /// - Parameter text: what ``createOffer()`` or ``createAnswer()`` returned last, unchanged; ignored for a rollback.
    /// - Errors: `wrongState`, or `unacceptable` when the text is not the one created last.
    package mutating func setLocal(_ type: DescriptionType, _ text: String = "") throws(SDPError) {
        switch type {
        case .offer:
            guard signalingState == .stable || signalingState == .haveLocalOffer else {
                throw .wrongState(operation: "setting a local offer", state: signalingState)
            }
            try setLocalOffer(Self.checked(preparedOffer, text))
        case .answer, .provisionalAnswer:
            guard signalingState == .haveRemoteOffer || signalingState == .haveLocalProvisionalAnswer else {
                throw .wrongState(operation: "setting a local answer", state: signalingState)
            }
            try setLocalAnswer(Self.checked(preparedAnswer, text), isFinal: type == .answer)
        case .rollback:
            guard signalingState == .haveLocalOffer || signalingState == .haveLocalProvisionalAnswer else {
                throw .wrongState(operation: "rolling back", state: signalingState)
            }
            rollBack()
        }
    }

    private static func checked(_ prepared: PreparedDescription?, _ text: String) throws(SDPError)
        -> PreparedDescription
    {
        guard let prepared, text == prepared.text else {
            throw .unacceptable(reason: "a local description must be the one that was created last, unchanged")
        }
        return prepared
    }

    private mutating func setLocalOffer(_ offer: PreparedDescription) {
        for (index, place) in offer.places {
            guard let position = position(of: index) else { continue }
            // The finished line whose place is used again.
            if let before = self.position(atMediaLine: place.mediaLineIndex), before != position {
                transceivers[before].place = nil
            }
            transceivers[position].place = place
        }
        useRestartCredentials(offer.restartsICE)
        pendingLocal = offer.description
        preparedOffer = nil
        signalingState = .haveLocalOffer
    }

    private mutating func setLocalAnswer(_ answer: PreparedDescription, isFinal: Bool) {
        guard let offer = pendingRemote else { return }
        useRestartCredentials(answer.restartsICE)
        pendingLocal = answer.description
        preparedAnswer = nil
        negotiate(local: answer.description, remote: offer)
        if isFinal {
            commit(offeredHere: false)
        } else {
            signalingState = .haveLocalProvisionalAnswer
        }
    }

    private mutating func useRestartCredentials(_ isUsed: Bool) {
        guard isUsed, let fresh = restartCredentials else { return }
        stableCredentials = stableCredentials ?? localTransport.credentials
        localTransport.credentials = fresh
        restartCredentials = nil
    }

    /// Makes the pending descriptions the agreed ones.
    mutating func commit(offeredHere: Bool) {
        currentLocal = pendingLocal
        currentRemote = pendingRemote
        pendingLocal = nil
        pendingRemote = nil
        stableCredentials = nil
        stableRemoteTransport = remoteTransport
        isRemoteICERestartPending = false
        preparedOffer = nil
        preparedAnswer = nil
        wasCurrentOfferer = offeredHere
        wasFirstOfferer = wasFirstOfferer ?? offeredHere
        // A finished line whose place was taken by another one has nothing left to say.
        transceivers.removeAll { $0.isFinished && $0.place == nil }
        for index in transceivers.indices { transceivers[index].commit() }
        signalingState = .stable
    }

    /// Forgets the pending descriptions and what they brought; what the owner asked for stays.
    mutating func rollBack() {
        transceivers.removeAll { $0.isMadeForPendingOffer }
        for index in transceivers.indices { transceivers[index].rollBack() }
        if let before = stableCredentials {
            restartCredentials = restartCredentials ?? localTransport.credentials
            localTransport.credentials = before
            stableCredentials = nil
        }
        pendingLocal = nil
        pendingRemote = nil
        remoteTransport = stableRemoteTransport
        isRemoteICERestartPending = false
        preparedOffer = nil
        preparedAnswer = nil
        signalingState = .stable
    }
}
