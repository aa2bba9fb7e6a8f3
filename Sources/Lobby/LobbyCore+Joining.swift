import LobbyProtocol
import MediaTypes
import WebSockets

extension LobbyCore {
    /// What a join is granted, from its token or, without keys, from its own word.
    private struct Admission {
        var id: String?
        var name: String
        var mayPublish: Bool
        var canSubscribe: Bool
        var canPublishData: Bool
        var canKick: Bool
    }

    mutating func enter(
        _ join: LobbyJoin, _ connection: WebSocketID, _ request: Int64?, at now: MonotonicTime, unixTime: Int64
    ) {
        let admission: Admission
        do {
            admission = try admit(join, unixTime: unixTime)
        } catch {
            log("room \(join.room): a join is refused: \(error)")
            fail(connection, request, .refusedToken, "\(error)")
            return expel(connection, .refusedToken, "token refused", .protocolViolation)
        }
        let id = admission.id ?? makeParticipantID()
        let members = rooms[join.room]?.members ?? []
        if let older = members.first(where: { $0.participant.id == id }) {
            guard join.mayReplace else {
                return fail(
                    connection, request, .participantPresent, "a participant with the id \(id) is in the room")
            }
            tell(older, .kicked(reason: .joinedElsewhere, by: nil, text: nil))
            expel(older.connection, .joinedElsewhere, "joined elsewhere", .joinedElsewhere)
        } else if members.count >= configuration.maximumParticipants {
            return fail(
                connection, request, .roomFull,
                "the room is full: \(configuration.maximumParticipants) participants are the most")
        } else if members.isEmpty && rooms.count >= configuration.maximumRooms {
            return fail(
                connection, request, .lobbyFull, "the lobby is full: \(configuration.maximumRooms) rooms are the most")
        }
        let participant = LobbyParticipant(
            id: id, name: admission.name, role: join.role, session: makeSession(),
            canPublish: admission.mayPublish && join.role == .host, canSubscribe: admission.canSubscribe)
        place(connection, in: (join.room, id), at: now)
        welcome(
            LobbyMember(
                participant: participant, connection: connection, mayPublish: admission.mayPublish,
                canPublishData: admission.canPublishData, canKick: admission.canKick),
            to: join.room, request)
    }

    private mutating func welcome(_ member: LobbyMember, to room: String, _ request: Int64?) {
        let others = rooms[room]?.members ?? []
        reply(
            to: member.connection, request,
            .joined(
                LobbyJoined(
                    room: room, participant: member.participant, canPublishData: member.canPublishData,
                    canKick: member.canKick, maximumParticipants: configuration.maximumParticipants,
                    participants: others.map(\.participant), iceServers: configuration.iceServers)))
        if member.participant.canSubscribe {
            for other in others {
                for stream in other.streams { tell(member, .streamAdded(stream)) }
            }
        }
        if others.isEmpty { log("room \(room): made") }
        rooms[room, default: LobbyRoom()].members.append(member)
        let participant = member.participant
        log(
            "room \(room): participant \(participant.id) joined as \(participant.role.rawValue), \(others.count + 1) now"
        )
        tellOthers(than: participant.id, in: room, .participantJoined(participant))
    }

    private func admit(_ join: LobbyJoin, unixTime: Int64) throws(TokenError) -> Admission {
        if configuration.keys.isEmpty {
            // Everybody here is a process of this machine: its own word counts.
            return Admission(
                id: join.participantID, name: join.name ?? "", mayPublish: true, canSubscribe: true,
                canPublishData: true, canKick: join.role == .host)
        }
        guard let token = join.token, !token.isEmpty else { throw .missing }
        let claims = try Token.verify(token, keys: configuration.keys, room: join.room, now: unixTime)
        guard LobbyLimits.isParticipantID(claims.participantID) else {
            throw .malformed("sub is no participant id (1–64 ASCII characters without space)")
        }
        guard join.participantID == nil || join.participantID == claims.participantID else { throw .otherParticipant }
        // The token's name cannot be chosen by its bearer.
        let name = claims.name.flatMap { LobbyLimits.isDisplayText($0) ? $0 : nil } ?? join.name ?? ""
        return Admission(
            id: claims.participantID, name: name, mayPublish: claims.canPublish, canSubscribe: claims.canSubscribe,
            canPublishData: claims.canPublishData, canKick: claims.roomAdmin)
    }
}
