import JSONText

/// A message from the lobby to a client.
package struct LobbyEvent: Sendable, Equatable {
    package enum Body: Sendable, Equatable {
        case joined(LobbyJoined)
        case participantJoined(LobbyParticipant)
        /// Another role, and so other rights to publish; also told to the one that changed.
        case participantChanged(LobbyParticipant)
        case participantLeft(id: String, session: Int64, LobbyLeaveReason)
        case streamAdded(LobbyStream)
        case streamRemoved(id: String, participant: String)
        case streamChanged(LobbyStream)
        /// `session`: the sender's.
        case signal(from: String, session: Int64, LobbySignal)
        case message(from: String, body: JSONValue)
        /// `reason`: `.kicked` or `.joinedElsewhere`.
        case kicked(reason: LobbyLeaveReason, by: String?, text: String?)
        case left
        case done
        case error(LobbyErrorCode, text: String)
        case pong
        /// A type of a later version: to be ignored.
        case unknown
    }

    /// The number of the request that this answers.
    package var inReplyTo: Int64?
    package var body: Body

    package init(inReplyTo: Int64? = nil, _ body: Body) {
        self.inReplyTo = inReplyTo
        self.body = body
    }

    /// - Errors: anything that PROTOCOL.md does not describe. The lobby is not trusted more than a client.
    package init(parsing bytes: UnsafeRawBufferPointer) throws(LobbyMessageError) {
        let (type, fields) = try MessageFields.reading(bytes, numberKey: "inReplyTo")
        inReplyTo = fields.request
        switch type {
        case "joined": body = .joined(try LobbyJoined(fields))
        case "participantJoined":
            body = .participantJoined(try LobbyParticipant(fields.requiredObject("participant")))
        case "participantChanged":
            body = .participantChanged(try LobbyParticipant(fields.requiredObject("participant")))
        case "participantLeft":
            body = .participantLeft(
                id: try fields.participantID("participant"), session: try fields.requiredInteger("session"),
                try Self.reason(fields) ?? .connectionLost)
        case "streamAdded": body = .streamAdded(try LobbyStream(fields.requiredObject("stream"), hasOwner: true))
        case "streamRemoved":
            body = .streamRemoved(
                id: try fields.streamID("stream"), participant: try fields.participantID("participant"))
        case "streamChanged": body = .streamChanged(try LobbyStream(fields.requiredObject("stream"), hasOwner: true))
        case "signal":
            body = .signal(
                from: try fields.participantID("from"), session: try fields.requiredInteger("session"),
                try LobbySignal(fields))
        case "message": body = .message(from: try fields.participantID("from"), body: try fields.body())
        case "kicked":
            body = .kicked(
                reason: try Self.reason(fields) ?? .kicked, by: try fields.optionalParticipantID("by"),
                text: try fields.displayText("text"))
        case "left": body = .left
        case "done": body = .done
        case "error":
            // A code of a later version is still an error; its text says what it is.
            let code = LobbyErrorCode(rawValue: try fields.requiredText("code", maximumBytes: 64)) ?? .badMessage
            body = .error(code, text: try fields.text("text", maximumBytes: 1024) ?? code.rawValue)
        case "pong": body = .pong
        default: body = .unknown
        }
    }

    private static func reason(_ fields: MessageFields) throws(LobbyMessageError) -> LobbyLeaveReason? {
        try fields.text("reason", maximumBytes: 64).flatMap(LobbyLeaveReason.init(rawValue:))
    }

    /// The message as it goes over the wire.
    package var text: String {
        var (type, members) = typeAndMembers
        members["type"] = .string(type)
        if let inReplyTo { members["inReplyTo"] = .integer(inReplyTo) }
        return JSONValue.object(members).text()
    }

    private var typeAndMembers: (String, [String: JSONValue]) {
        switch body {
        case .joined(let joined): return ("joined", joined.members)
        case .participantJoined(let participant): return ("participantJoined", ["participant": participant.json])
        case .participantChanged(let participant): return ("participantChanged", ["participant": participant.json])
        case .participantLeft(let id, let session, let reason):
            return (
                "participantLeft",
                ["participant": .string(id), "session": .integer(session), "reason": .string(reason.rawValue)]
            )
        case .streamAdded(let stream): return ("streamAdded", ["stream": stream.json])
        case .streamRemoved(let id, let participant):
            return ("streamRemoved", ["stream": .string(id), "participant": .string(participant)])
        case .streamChanged(let stream): return ("streamChanged", ["stream": stream.json])
        case .signal(let from, let session, let signal):
            return (
                "signal",
                ["from": .string(from), "session": .integer(session), signal.json.key: signal.json.value]
            )
        case .message(let from, let body): return ("message", ["from": .string(from), "body": body])
        case .kicked(let reason, let by, let text):
            var members: [String: JSONValue] = ["reason": .string(reason.rawValue)]
            if let by { members["by"] = .string(by) }
            if let text { members["text"] = .string(text) }
            return ("kicked", members)
        case .left: return ("left", [:])
        case .done: return ("done", [:])
        case .error(let code, let text): return ("error", ["code": .string(code.rawValue), "text": .string(text)])
        case .pong: return ("pong", [:])
        case .unknown: return ("unknown", [:])
        }
    }
}
