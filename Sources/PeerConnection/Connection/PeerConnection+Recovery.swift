import MediaTransport
import MediaTypes
import Realtime
import SDP
import Telemetry

/// What keeps a connection alive while rooms, addresses and far sides change. When to use it is its owner's decision.
extension PeerConnection {
    /// Whether media moves; cheap enough for ten times a second.
    package var progress: PeerConnectionProgress {
        loop.checkThread()
        return PeerConnectionProgress(heard: heardPackets, media: media.progress)
    }

    /// Whether a description comes from a far side that began anew, and that this connection therefore must refuse. An
    /// offer that gives way to a pending one of ours is none: the far side will answer ours.
    package func isOfNewFarSide(description sdp: String, type: DescriptionType) -> Bool {
        loop.checkThread()
        guard !isOver else { return false }
        if type == .offer, session.signalingState == .haveLocalOffer, !configuration.isPolite { return false }
        return session.isOfNewFarSide(type, sdp)
    }

    /// Begins signalling anew after both sides lost sight of each other: an offer that waits for its answer is taken back,
    /// since neither need have arrived.
    /// - Parameters:
    ///   - offers: offer at once; otherwise the far side does.
    ///   - restartsICE: look for a new path with that offer.
    package func renewSignalling(offers: Bool, restartsICE: Bool) {
        loop.checkThread()
        guard !isOver else { return }
        let hadOffer = session.signalingState == .haveLocalOffer
        if hadOffer {
            do throws(SDPError) {
                try session.setLocal(.rollback)
            } catch {
                preconditionFailure("a pending offer of ours can be taken back")
            }
        }
        isIgnoringOffer = false
        heldCandidates = []
        guard offers else {
            if hadOffer { isNegotiationWanted = true }
            return
        }
        if session.remoteTransport != nil, restartsICE || isPathUncertain {
            restartICE()
        } else {
            negotiate()
        }
    }

    /// Looks for a new path when the one in use, or the candidates that the far side knows, no longer fit this machine.
    /// - Parameter addresses: those of now, from ``InterfaceRules/localAddresses()``.
    /// - Returns: whether a restart was begun.
    @discardableResult
    package func addressesChanged(to addresses: [String]) -> Bool {
        loop.checkThread()
        guard !isOver, session.remoteTransport != nil else { return false }
        let newest = nextAgent ?? agent
        let hasAppeared = addresses.contains { !newest.addresses.contains($0) }
        guard hasAppeared || (nextAgent == nil && !agent.isPathUsable(with: addresses)) else { return false }
        restartICE()
        return true
    }

    /// Whether this connection's candidates are of other addresses than these.
    package func isMade(forOther addresses: [String]) -> Bool {
        loop.checkThread()
        let newest = nextAgent ?? agent
        return addresses.contains { !newest.addresses.contains($0) }
    }

    /// A restart was begun and has not ended well: what the far side knows of our path may not be true.
    private var isPathUncertain: Bool {
        nextAgent != nil || session.localCredentials != agent.localCredentials
    }
}
