import JSONText
import LobbyProtocol
import MediaTypes
import WebSockets

extension LobbyCore {
    /// A request of somebody who is in a room.
    mutating func handle(
        _ request: LobbyRequest, from connection: WebSocketID, room: String, memberIndex index: Int,
        at now: MonotonicTime
    ) {
        guard let member = rooms[room]?.members[index] else { return }
        let number = request.request
        switch request.body {
        case .join, .ping: break
        case .leave:
            place(connection, in: nil, at: now)
            remove(member.participant.id, from: room, .left)
            reply(to: connection, number, .left)
        case .publish(let stream): publish(stream, member, index, room, number)
        case .unpublish(let id):
            guard let position = member.streams.firstIndex(where: { $0.id == id }) else {
                return fail(connection, number, .unknownStream, "you publish no stream with this id")
            }
            rooms[room]?.members[index].streams.remove(at: position)
            removed(id, of: member, room)
            done(connection, number)
        case .change(let id, let audioMuted, let videoMuted):
            guard let position = member.streams.firstIndex(where: { $0.id == id }) else {
                return fail(connection, number, .unknownStream, "you publish no stream with this id")
            }
            var stream = member.streams[position]
            stream.audioMuted = audioMuted ?? stream.audioMuted
            stream.videoMuted = videoMuted ?? stream.videoMuted
            replace(stream, position, index, room)
            done(connection, number)
        case .signal(let to, let session, let signal): pass(signal, to: to, session, member, room, number)
        case .message(let to, let body): pass(message: body, to: to, member, room, number)
        case .kick(let id, let text): kick(id, text, by: member, room, number)
        case .role(let role): change(member, index, to: role, room, number)
        }
    }

    private mutating func publish(
        _ published: LobbyStream, _ member: LobbyMember, _ index: Int, _ room: String, _ number: Int64?
    ) {
        let connection = member.connection
        guard member.participant.canPublish else {
            return fail(connection, number, .notPermitted, "your token or role does not allow to publish")
        }
        guard published.hasAudio || published.hasVideo else {
            return fail(connection, number, .badMessage, "a stream has audio or video")
        }
        var stream = published
        stream.participant = member.participant.id
        if let position = member.streams.firstIndex(where: { $0.id == stream.id }) {
            replace(stream, position, index, room)
            return done(connection, number)
        }
        guard publishers[stream.id] == nil else {
            log("room \(room): stream \(stream.id) of \(member.participant.id) is refused: the id is taken")
            return fail(
                connection, number, .streamIDTaken, "a stream with the id \(stream.id) is published already")
        }
        guard member.streams.count < LobbyLimits.streamsPerParticipant else {
            return fail(
                connection, number, .tooManyStreams,
                "\(LobbyLimits.streamsPerParticipant) streams of one participant are the most")
        }
        rooms[room]?.members[index].streams.append(stream)
        publishers[stream.id] = (room, member.participant.id)
        log("room \(room): stream \(stream.id) published by \(member.participant.id)")
        tellOthers(than: member.participant.id, in: room, .streamAdded(stream))
        done(connection, number)
    }

    /// Forgets a stream that its owner's list no longer has.
    private mutating func removed(_ id: String, of member: LobbyMember, _ room: String) {
        publishers[id] = nil
        log("room \(room): stream \(id) of \(member.participant.id) removed")
        tellOthers(than: member.participant.id, in: room, .streamRemoved(id: id, participant: member.participant.id))
    }

    private mutating func change(
        _ member: LobbyMember, _ index: Int, to role: LobbyRole, _ room: String, _ number: Int64?
    ) {
        guard role == .audience || member.mayPublish else {
            return fail(member.connection, number, .notPermitted, "your token does not allow to publish")
        }
        if role != member.participant.role {
            if role == .audience {
                rooms[room]?.members[index].streams = []
                for stream in member.streams { removed(stream.id, of: member, room) }
            }
            var participant = member.participant
            participant.role = role
            participant.canPublish = member.mayPublish && role == .host
            rooms[room]?.members[index].participant = participant
            // Without keys it is the role that makes a host.
            if configuration.keys.isEmpty { rooms[room]?.members[index].canKick = role == .host }
            log("room \(room): participant \(participant.id) is \(role.rawValue) now")
            tell(member, .participantChanged(participant))
            tellOthers(than: participant.id, in: room, .participantChanged(participant))
        }
        done(member.connection, number)
    }

    private mutating func replace(_ stream: LobbyStream, _ position: Int, _ index: Int, _ room: String) {
        guard let old = rooms[room]?.members[index].streams[position], old != stream else { return }
        rooms[room]?.members[index].streams[position] = stream
        tellOthers(than: stream.participant, in: room, .streamChanged(stream))
    }

    private mutating func pass(
        _ signal: LobbySignal, to id: String, _ session: Int64?, _ member: LobbyMember, _ room: String, _ number: Int64?
    ) {
        let target = rooms[room]?.members.first { $0.participant.id == id }
        guard let target, session == nil || session == target.participant.session else {
            // Signals on their way to somebody who has just left are no fault of the sender.
            if number != nil { fail(member.connection, number, .unknownParticipant, "that participant has left") }
            return
        }
        guard LobbyMember.mayMeet(member.participant, target.participant), id != member.participant.id else {
            return fail(member.connection, number, .notPermitted, "neither of you may play the other")
        }
        tell(target, .signal(from: member.participant.id, session: member.participant.session, signal))
        done(member.connection, number)
    }

    private mutating func pass(
        message body: JSONValue, to id: String?, _ member: LobbyMember, _ room: String, _ number: Int64?
    ) {
        guard member.canPublishData else {
            return fail(member.connection, number, .notPermitted, "your token does not allow messages")
        }
        let message = LobbyEvent.Body.message(from: member.participant.id, body: body)
        if let id {
            guard let target = rooms[room]?.members.first(where: { $0.participant.id == id }) else {
                return fail(member.connection, number, .unknownParticipant, "nobody here has that id")
            }
            tell(target, message)
        } else {
            tellOthers(than: member.participant.id, in: room, message)
        }
        done(member.connection, number)
    }

    private mutating func kick(
        _ id: String, _ text: String?, by member: LobbyMember, _ room: String, _ number: Int64?
    ) {
        guard member.canKick else {
            return fail(member.connection, number, .notPermitted, "your token or role does not allow to kick")
        }
        guard let target = rooms[room]?.members.first(where: { $0.participant.id == id }) else {
            return fail(member.connection, number, .unknownParticipant, "nobody here has that id")
        }
        done(member.connection, number)
        log("room \(room): \(member.participant.id) kicks \(id)")
        tell(target, .kicked(reason: .kicked, by: member.participant.id, text: text))
        expel(target.connection, .kicked, "kicked", .kicked)
    }
}
