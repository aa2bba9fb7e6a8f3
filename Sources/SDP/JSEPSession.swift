import MediaTypes

/// The offer/answer exchange of one connection (RFC 8829): which lines there are, what both sides agreed on, and what to
/// write next. It holds no socket and no clock; signalling and the transport belong to its owner.
///
/// ```
///             setLocal(offer)              setRemote(answer)
///   stable ───────────────────▶ have-local-offer ──────────▶ stable
///      │  ◀─── setLocal(rollback), setRemote(offer) ──┘
///      │      setRemote(offer)               setLocal(answer)
///      └──────────────────────▶ have-remote-offer ─────────▶ stable
/// ```
/// A remote offer that arrives while our own is pending takes ours back by itself: that is the polite side of perfect
/// negotiation. The impolite side must not pass the offer in.
package struct JSEPSession: Sendable {
    package internal(set) var signalingState = SignalingState.stable
    /// Nil until a remote description was set.
    package internal(set) var remoteTransport: RemoteTransport?
    /// Whether the offer that waits for our answer restarts ICE; then ``restartICE(ufrag:pwd:)`` must come first.
    package internal(set) var isRemoteICERestartPending = false

    let cname: String
    let options: JSEPOptions
    let sessionID: UInt64
    var sessionVersion: UInt64 = 0
    var ssrcs: SSRCSequence
    var localTransport: LocalTransport
    /// Credentials for the next offer, or for the answer to a restart of the far side.
    var restartCredentials: ICECredentials?
    /// The credentials before a pending description of ours that restarts ICE.
    var stableCredentials: ICECredentials?
    var localCandidates: [ICECandidate] = []
    var hasAllLocalCandidates = false
    var transceivers: [Transceiver] = []
    var nextIndex = 0
    var currentLocal: SessionDescription?
    var currentRemote: SessionDescription?
    var pendingLocal: SessionDescription?
    var pendingRemote: SessionDescription?
    var stableRemoteTransport: RemoteTransport?
    var wasCurrentOfferer = false
    var wasFirstOfferer: Bool?
    var preparedOffer: PreparedDescription?
    var preparedAnswer: PreparedDescription?

    /// - Parameters:
    ///   - sessionID: random; the top bit is ignored because some stacks read it as a signed number.
    ///   - cname: names this endpoint in RTCP; the same for all its lines.
    ///   - ssrcSeed: random; the SSRCs of all lines follow from it.
    package init(
        localTransport: LocalTransport, sessionID: UInt64, cname: String, ssrcSeed: UInt64,
        options: JSEPOptions = JSEPOptions()
    ) {
        self.localTransport = localTransport
        self.sessionID = sessionID & UInt64(Int64.max)
        self.cname = Self.plainWord(cname)
        self.options = options
        ssrcs = SSRCSequence(seed: ssrcSeed)
    }

    /// Every line that has a place in the agreed descriptions, also rejected ones, in their order there.
    package var lines: [NegotiatedLine] {
        transceivers.compactMap(\.negotiated).sorted { $0.mediaLineIndex < $1.mediaLineIndex }
    }

    /// Whether this endpoint decides which candidate pair is used: the first offerer does, unless the far side is
    /// ICE-lite. Nil before anything was exchanged.
    package var isICEControlling: Bool? {
        if remoteTransport?.isICELite == true { return true }
        if let wasFirstOfferer { return wasFirstOfferer }
        switch signalingState {
        case .stable: return nil
        case .haveLocalOffer, .haveRemoteProvisionalAnswer: return true
        case .haveRemoteOffer, .haveLocalProvisionalAnswer: return false
        }
    }

    /// Whether an offer should be made. Only ever true in the stable state; ask again after each exchange.
    package var isNegotiationNeeded: Bool {
        guard signalingState == .stable else { return false }
        if restartCredentials != nil, currentLocal != nil { return true }
        return transceivers.contains { needsNegotiation($0) }
    }

    private func needsNegotiation(_ transceiver: Transceiver) -> Bool {
        if transceiver.isFinished { return false }
        guard let place = transceiver.place, let local = currentLocal?.lines[place.mediaLineIndex],
            let remote = currentRemote?.lines[place.mediaLineIndex]
        else { return !transceiver.isStopped }
        if transceiver.isStopped { return true }
        guard transceiver.kind != .data else { return false }
        let wanted =
            wasCurrentOfferer ? transceiver.direction : transceiver.direction.answering(remote.direction)
        return local.direction != wanted || (wanted.sends && local.stream != transceiver.stream)
    }

    /// A word that may stand in a description: other bytes become `_`.
    static func plainWord(_ text: String) -> String {
        let bytes = text.utf8.prefix(128).map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "_") }
        return bytes.isEmpty ? "-" : String(decoding: bytes, as: UTF8.self)
    }
}
