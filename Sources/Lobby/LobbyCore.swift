import LobbyProtocol
import MediaTypes
import WebSockets

/// The lobby's rules: who is in which room, who is told what. Pure: messages and time in, messages and closes out.
///
/// ```
/// connected ─▶ join ─▶ member of a room ─ publish, change, signal, message, kick ─▶ outputs to the others
///                 ▲          │ leave, closed, kicked, joined elsewhere
///                 └──────────┘ streamRemoved…, participantLeft to the others; an empty room is gone
/// ```
package struct LobbyCore: Sendable {
    let configuration: LobbyConfiguration
    var rooms: [String: LobbyRoom] = [:]
    /// Every published stream of every room, by id: where its owner is.
    var publishers: [String: (room: String, participant: String)] = [:]
    private var connections: [WebSocketID: LobbyConnection] = [:]
    private var generator: SeededRandom
    private var lastSession: Int64
    private var outputs: [LobbyOutput] = []
    private var nextOutput = 0

    /// - Parameter seed: any; makes ids of participants that bring none, and the first session number.
    package init(_ configuration: LobbyConfiguration, seed: UInt64) {
        self.configuration = configuration
        generator = SeededRandom(seed: seed)
        // A restarted lobby must not repeat the sessions that its clients still remember.
        lastSession = Int64(generator.next() >> 16)
    }

    /// Rooms and participants now, for the log and the status.
    package var occupancy: (rooms: Int, participants: Int, streams: Int) {
        (rooms.count, rooms.values.reduce(0) { $0 + $1.members.count }, publishers.count)
    }

    /// When `advance(to:)` must be called next.
    package var nextDeadline: MonotonicTime {
        connections.values.lazy.filter { $0.place == nil }.map(\.joinDeadline).min() ?? .distantFuture
    }

    package mutating func connected(_ connection: WebSocketID, at now: MonotonicTime) {
        connections[connection] = LobbyConnection(at: now)
    }

    /// One text message from a client. Nothing in it is trusted.
    /// - Parameter unixTime: wall clock in seconds since 1970, for the times in tokens.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer, from connection: WebSocketID, at now: MonotonicTime, unixTime: Int64
    ) {
        guard var state = connections[connection] else { return }
        guard state.takesOneMore(at: now) else {
            return expel(connection, .tooMany, "too many messages", .protocolViolation)
        }
        connections[connection] = state
        let request: LobbyRequest
        do {
            request = try LobbyRequest(parsing: bytes)
        } catch {
            reply(to: connection, error.request, .error(error.code, text: error.text))
            // A type of a later version is no fault.
            guard error.code != .unknownType else { return }
            connections[connection]?.badMessages += 1
            if state.badMessages + 1 >= LobbyConnection.mostBadMessages {
                expel(connection, .protocolViolation, "too many broken messages", .protocolViolation)
            }
            return
        }
        if case .ping = request.body { return reply(to: connection, request.request, .pong) }
        if case .join(let join) = request.body {
            guard state.place == nil else {
                return fail(connection, request.request, .alreadyJoined, "leave the room first")
            }
            return enter(join, connection, request.request, at: now, unixTime: unixTime)
        }
        guard let place = state.place, let index = rooms[place.room]?.index(of: place.participant) else {
            return fail(connection, request.request, .notJoined, "join a room first")
        }
        handle(request, from: connection, room: place.room, memberIndex: index, at: now)
    }

    /// The connection is no more, for whatever reason.
    package mutating func closed(_ connection: WebSocketID, reason: LobbyLeaveReason, at now: MonotonicTime) {
        guard let state = connections.removeValue(forKey: connection) else { return }
        if let place = state.place { remove(place.participant, from: place.room, reason) }
    }

    /// Closes the connections that did not join in time.
    package mutating func advance(to now: MonotonicTime) {
        let late = connections.filter { $0.value.place == nil && $0.value.joinDeadline <= now }.keys.sorted()
        for connection in late {
            expel(connection, .protocolViolation, "no join in time", .protocolViolation)
        }
    }

    package mutating func pollOutput() -> LobbyOutput? {
        guard nextOutput < outputs.count else {
            outputs.removeAll(keepingCapacity: true)
            nextOutput = 0
            return nil
        }
        nextOutput += 1
        return outputs[nextOutput - 1]
    }
}

// What the rules are made of.
extension LobbyCore {
    mutating func output(_ output: LobbyOutput) { outputs.append(output) }

    mutating func log(_ text: String) { outputs.append(.log(text)) }

    mutating func reply(to connection: WebSocketID, _ request: Int64?, _ body: LobbyEvent.Body) {
        outputs.append(.send(to: connection, text: LobbyEvent(inReplyTo: request, body).text))
    }

    mutating func fail(_ connection: WebSocketID, _ request: Int64?, _ code: LobbyErrorCode, _ text: String) {
        reply(to: connection, request, .error(code, text: text))
    }

    /// Success is answered only when it was asked for.
    mutating func done(_ connection: WebSocketID, _ request: Int64?) {
        if let request { reply(to: connection, request, .done) }
    }

    mutating func tell(_ member: LobbyMember, _ body: LobbyEvent.Body) {
        outputs.append(.send(to: member.connection, text: LobbyEvent(body).text))
    }

    /// Tells everybody in the room but `id`.
    mutating func tellOthers(than id: String, in room: String, _ body: LobbyEvent.Body) {
        guard let members = rooms[room]?.members, !members.isEmpty else { return }
        let text = LobbyEvent(body).text
        let isAboutStream =
            switch body {
            case .streamAdded, .streamChanged, .streamRemoved: true
            default: false
            }
        for member in members where member.participant.id != id {
            // Streams do not exist for somebody who may not play them.
            if isAboutStream && !member.participant.canSubscribe { continue }
            outputs.append(.send(to: member.connection, text: text))
        }
    }

    mutating func makeSession() -> Int64 {
        lastSession += 1
        return lastSession
    }

    mutating func makeParticipantID() -> String {
        "p-" + String(generator.next() >> 24, radix: 32)
    }

    mutating func place(
        _ connection: WebSocketID, in place: (room: String, participant: String)?, at now: MonotonicTime
    ) {
        connections[connection]?.place = place
        if place == nil { connections[connection]?.joinDeadline = now + LobbyConnection.joinTimeout }
    }

    /// Closes a connection; whatever else comes from it is ignored.
    mutating func expel(
        _ connection: WebSocketID, _ code: LobbyCloseCode, _ text: String, _ reason: LobbyLeaveReason
    ) {
        guard let state = connections.removeValue(forKey: connection) else { return }
        outputs.append(.close(connection, code, reason: text))
        if let place = state.place {
            remove(place.participant, from: place.room, reason)
        } else {
            log("a connection without participant is closed: \(text)")
        }
    }

    /// Takes a participant and its streams out of its room and tells the others.
    mutating func remove(_ id: String, from room: String, _ reason: LobbyLeaveReason) {
        guard let index = rooms[room]?.index(of: id), let member = rooms[room]?.members.remove(at: index) else {
            return
        }
        for stream in member.streams {
            publishers[stream.id] = nil
            tellOthers(than: id, in: room, .streamRemoved(id: stream.id, participant: id))
        }
        tellOthers(than: id, in: room, .participantLeft(id: id, session: member.participant.session, reason))
        log("room \(room): participant \(id) left (\(reason.rawValue))")
        if rooms[room]?.members.isEmpty == true {
            rooms[room] = nil
            log("room \(room): empty, so it is gone")
        }
    }
}
