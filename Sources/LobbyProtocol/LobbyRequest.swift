import JSONText

/// A message from a client to the lobby.
package struct LobbyRequest: Sendable, Equatable {
    package enum Body: Sendable, Equatable {
        case join(LobbyJoin)
        case leave
        case publish(LobbyStream)
        case unpublish(stream: String)
        case change(stream: String, audioMuted: Bool?, videoMuted: Bool?)
        /// `session`: the receiver's, as far as the sender knows it.
        case signal(to: String, session: Int64?, LobbySignal)
        /// Without `to`: to everybody else in the room.
        case message(to: String?, body: JSONValue)
        case kick(participant: String, text: String?)
        /// Publish and play from now on, or only play.
        case role(LobbyRole)
        case ping
    }

    /// The sender's number for this message; an answer carries it as `inReplyTo`. Nil: no answer to success.
    package var request: Int64?
    package var body: Body

    package init(request: Int64? = nil, _ body: Body) {
        self.request = request
        self.body = body
    }

    /// - Errors: anything that PROTOCOL.md does not describe. The text is from outside: nothing in it is trusted.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(LobbyMessageError) {
        let (type, fields) = try MessageFields.reading(bytes, numberKey: "request")
        request = fields.request
        switch type {
        case "join": body = .join(try LobbyJoin(fields))
        case "leave": body = .leave
        case "publish": body = .publish(try LobbyStream(fields.requiredObject("stream"), hasOwner: false))
        case "unpublish": body = .unpublish(stream: try fields.streamID("stream"))
        case "change":
            let stream = try fields.requiredObject("stream")
            body = .change(
                stream: try stream.streamID("id"), audioMuted: try stream.flag("audioMuted"),
                videoMuted: try stream.flag("videoMuted"))
        case "signal":
            body = .signal(
                to: try fields.participantID("to"), session: try fields.integer("session"), try LobbySignal(fields))
        case "message": body = .message(to: try fields.optionalParticipantID("to"), body: try fields.body())
        case "kick":
            body = .kick(participant: try fields.participantID("participant"), text: try fields.displayText("text"))
        case "role":
            guard let role = try fields.role() else { throw fields.problem("role is missing") }
            body = .role(role)
        case "ping": body = .ping
        default: throw LobbyMessageError(.unknownType, "the lobby knows no message of this type", request: request)
        }
    }

    /// The message as it goes over the wire.
    package var text: String {
        var (type, members) = typeAndMembers
        members["type"] = .string(type)
        if let request { members["request"] = .integer(request) }
        return JSONValue.object(members).text()
    }

    private var typeAndMembers: (String, [String: JSONValue]) {
        switch body {
        case .join(let join): return ("join", join.members)
        case .leave: return ("leave", [:])
        case .publish(let stream): return ("publish", ["stream": stream.json])
        case .unpublish(let stream): return ("unpublish", ["stream": .string(stream)])
        case .change(let stream, let audioMuted, let videoMuted):
            var change: [String: JSONValue] = ["id": .string(stream)]
            if let audioMuted { change["audioMuted"] = .bool(audioMuted) }
            if let videoMuted { change["videoMuted"] = .bool(videoMuted) }
            return ("change", ["stream": .object(change)])
        case .signal(let to, let session, let signal):
            var members: [String: JSONValue] = ["to": .string(to), signal.json.key: signal.json.value]
            if let session { members["session"] = .integer(session) }
            return ("signal", members)
        case .message(let to, let body):
            var members = ["body": body]
            if let to { members["to"] = .string(to) }
            return ("message", members)
        case .kick(let participant, let text):
            var members: [String: JSONValue] = ["participant": .string(participant)]
            if let text { members["text"] = .string(text) }
            return ("kick", members)
        case .role(let role): return ("role", ["role": .string(role.rawValue)])
        case .ping: return ("ping", [:])
        }
    }
}
