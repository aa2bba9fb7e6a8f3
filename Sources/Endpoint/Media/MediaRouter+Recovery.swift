import Calls
import MediaTypes
import PeerConnection
import Realtime
import Rooms
import Telemetry

/// What keeps media moving: every connection has a ladder that says what to do when it does not.
extension MediaRouter {
    static let housekeepingInterval = Interval.milliseconds(100)
    /// A participant that lost the room is given up when its packets stop for this long.
    static let lostSilence = Interval.seconds(1)

    func keepHouse(at now: MonotonicTime) {
        checkOnline(at: now)
        for id in Array(peers.keys) {
            guard let peer = peers[id] else { continue }
            peer.askForKeyFrameIfNeeded()
            let step = peer.ladder.observe(
                peer.observation(at: now), canAct: peer.isSignalled && isOnline, at: now)
            if peer.ladder.health != peer.reportedHealth {
                peer.reportedHealth = peer.ladder.health
                report(.healthChanged(id, peer.ladder.health))
            }
            if isGivenUp(peer, at: now) {
                close(id)
                report(.connectionChanged(id, .closed))
            } else if let step {
                take(step, for: peer, at: now)
            }
        }
    }

    /// An address or a route of this machine came or went: connections whose path or candidates that makes untrue look
    /// for a new path.
    func networkChanged() {
        let addresses = settings.peer.ice.interfaces.localAddresses()
        noteOnline(addresses)
        // Nothing to go to: wait for the change that brings something.
        guard isOnline else { return }
        let now = MonotonicClock.now()
        for peer in peers.values {
            guard let connection = peer.connection, !peer.isOver else { continue }
            if connection.addressesChanged(to: addresses) {
                Log.info("connection", "\(peer.id): looks for a new path: the addresses changed")
                peer.ladder.noteRestart(at: now)
            } else if peer.state == .new || peer.state == .connecting, peer.isSignalled,
                connection.isMade(forOther: addresses)
            {
                connect(peer, startsOffer: true, at: now)
            }
        }
    }

    private func isGivenUp(_ peer: RemotePeer, at now: MonotonicTime) -> Bool {
        guard !peer.isSignalled else { return false }
        if peer.isOver { return true }
        guard let lostTime = peer.lostTime else { return false }
        return now - max(lostTime, peer.heardTime ?? lostTime) > MediaRouter.lostSilence
    }

    private func take(_ step: ConnectionLadder.Step, for peer: RemotePeer, at now: MonotonicTime) {
        var step = step
        // Another participant's media moves: a new join would help nobody.
        if step == .rejoin || step == .startOver, peers.values.contains(where: { $0 !== peer && $0.isHealthy }) {
            step = .reconnect
        }
        Log.notice("connection", "\(peer.id): no media (\(peer.state)); next: \(step)")
        switch step {
        case .restartICE:
            peer.connection?.restartICE()
        case .reconnect:
            connect(peer, startsOffer: true, at: now)
        case .rejoin:
            report(.rejoinWanted(reason: "no media moves between this endpoint and \(peer.id)"))
        case .startOver:
            closeAll()
            report(.rejoinWanted(reason: "no media moves between this endpoint and \(peer.id), even after a new join"))
        }
    }

    /// Looks for addresses, though not in every round and only while something is wrong: this is a question to the kernel.
    private func checkOnline(at now: MonotonicTime) {
        guard now >= nextOnlineCheck, !isOnline || peers.values.contains(where: { !$0.isHealthy }) else { return }
        nextOnlineCheck = now + .milliseconds(500)
        noteOnline(settings.peer.ice.interfaces.localAddresses())
    }

    private func noteOnline(_ addresses: [String]) {
        if !InterfaceRules.areLoopback(addresses) { hasBeenOnline = true }
        // A machine with nothing but loopback from the beginning is content with that.
        isOnline = !hasBeenOnline || !InterfaceRules.areLoopback(addresses)
    }
}
