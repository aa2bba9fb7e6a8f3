import Calls
import MediaEngine
import Rooms

/// Puts what the endpoint knows into the words that stand on its screen.
struct ScreenWords {
    var core: EndpointCore
    var settings: EndpointSettings
    /// Why the room's state is what it is.
    var reason: RoomReason
    /// Remote streams as they said last, also while the room is lost.
    var streams: [StreamID: RemoteStream]
    var addresses: [String]

    var content: ScreenContent {
        var content = ScreenContent()
        content.title = settings.participant.name
        content.room = "Room \(settings.room)"
        (content.state, content.mood) = state
        content.call = call
        content.addresses = addressLines
        content.tiles = tiles
        if core.call.state == .calling || core.call.state == .ringing {
            content.notice = content.call
        } else if !core.room.state.isJoined {
            content.notice = content.state
        }
        content.showsNames = settings.showsNames
        content.isMicrophoneMuted = settings.core.hasMicrophone && core.plan.isMuted
        return content
    }

    private var state: (String, ScreenContent.Mood) {
        let trouble = reason.kind == .requested ? "" : ": \(reason.text)"
        switch core.room.state {
        case .loggedOut, .logoutFailed: return ("Not in the room", .bad)
        case .loggingIn: return ("Joining…", .waiting)
        case .loggedIn, .reconnected: return (present, .good)
        case .loginFailed where !settings.isRoomNamed: return ("No room is configured: set room.url", .bad)
        case .loginFailed, .reconnecting: return ("No connection to the room\(trouble), trying again", .waiting)
        case .reconnectFailed: return ("No connection to the room\(trouble), trying again", .bad)
        case .kickedOut: return ("Removed from the room\(trouble)", .bad)
        }
    }

    /// Who else is there.
    private var present: String {
        let names = core.presentParticipants.map(name)
        switch names.count {
        case 0: return "Ready; nobody else is here"
        case 1...3: return "Ready; here: \(names.joined(separator: ", "))"
        default: return "Ready; \(names.count) others are here"
        }
    }

    private var call: String {
        let partner = core.call.partner.map(name)
        switch core.call.state {
        case .idle: return ""
        case .calling: return partner.map { "Calling \($0)…" } ?? "Calling…"
        case .ringing: return partner.map { "\($0) is calling" } ?? "Somebody is calling"
        case .inCall: return partner.map { "In a call with \($0)" } ?? "In a call"
        }
    }

    private var tiles: [ScreenContent.Tile] {
        let plan = core.plan
        var tiles: [ScreenContent.Tile] = []
        for (id, player) in core.players.sorted(by: { $0.key < $1.key })
        where plan.playFrom.contains(player.participant) {
            // One connection, and so one picture, is with each participant.
            guard !tiles.contains(where: { $0.id == player.participant }) else { continue }
            var tile = ScreenContent.Tile(id: player.participant, name: name(player.participant))
            if let stream = streams[id] {
                tile.isMicrophoneMuted = stream.isAudioMuted || !stream.hasAudio
                tile.isCameraOff = stream.isVideoMuted || !stream.hasVideo
            }
            tiles.append(tile)
        }
        return tiles.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private var addressLines: [String] {
        var lines = ["Address: \(addresses.isEmpty ? "no network" : addresses.prefix(2).joined(separator: ", "))"]
        guard let page = settings.lobbyPage, !page.isForThisMachine else { return lines }
        let host = page.isForAll ? addresses.first : page.address
        if let host {
            lines.append("Page: \(page.scheme)://\(host.contains(":") ? "[\(host)]" : host):\(page.port)/")
        }
        return lines
    }

    private func name(_ id: ParticipantID) -> String {
        guard let name = core.participants[id]?.name, !name.isEmpty else { return id }
        return name
    }
}
