import MediaTypes

/// Whether each remote stream is played: asked for by the plan, answered by its media.
extension EndpointCore {
    /// A remote stream and what becomes of playing it.
    package struct Player: Sendable {
        package var participant: ParticipantID
        package var session = PlayerSession()
    }

    package mutating func streamAdded(_ stream: String, of participant: ParticipantID, at now: MonotonicTime) {
        unconfirmed[stream] = nil
        guard players[stream]?.participant != participant else { return }
        var player = Player(participant: participant)
        if flowing.contains(participant) { player.session.mediaArrives() }
        players[stream] = player
        settle(at: now)
    }

    package mutating func streamRemoved(_ stream: String) {
        unconfirmed[stream] = nil
        guard var player = players.removeValue(forKey: stream) else { return }
        player.session.unwant()
        report(&player, stream)
    }

    /// Whether media of a participant arrives: its streams are played by it, and a call outlives the room by it.
    package mutating func mediaChanged(with id: ParticipantID, isFlowing: Bool, at now: MonotonicTime) {
        if isFlowing { flowing.insert(id) } else { flowing.remove(id) }
        for stream in players.keys.sorted() where players[stream]?.participant == id {
            if isFlowing {
                players[stream]?.session.mediaArrives()
            } else {
                players[stream]?.session.mediaStopped(RoomReason(.transient, "no media of \(id) arrives"))
            }
        }
        call.mediaChanged(with: id, isFlowing: isFlowing, at: now)
        settle(at: now)
    }

    /// Wants what the plan plays.
    mutating func updatePlayers() {
        let heard = plan.playFrom
        for stream in players.keys.sorted() {
            guard var player = players[stream] else { continue }
            if heard.contains(player.participant) { player.session.want() } else { player.session.unwant() }
            report(&player, stream)
            players[stream] = player
        }
    }

    private mutating func report(_ player: inout Player, _ stream: String) {
        while case .stateChanged(let state, let reason)? = player.session.pollOutput() {
            outputs.append(.playerChanged(stream: stream, state, reason))
        }
    }
}
