import JSONText

/// Reads the fields of one message's object, and says what is wrong with them.
struct MessageFields {
    var members: [String: JSONValue]
    /// Where this object is, for error texts: "" or "stream.".
    var path = ""
    var request: Int64?

    func problem(_ text: String) -> LobbyMessageError {
        LobbyMessageError(.badMessage, text, request: request)
    }

    private func wrong(_ key: String, _ allowed: String) -> LobbyMessageError {
        problem("\(path)\(key) must be \(allowed)")
    }

    /// null counts as missing: that is what a browser's toJSON() writes.
    private func value(_ key: String) -> JSONValue? {
        guard let value = members[key], !value.isNull else { return nil }
        return value
    }

    func text(_ key: String, maximumBytes: Int) throws(LobbyMessageError) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string, text.utf8.count <= maximumBytes else {
            throw wrong(key, "a text of at most \(maximumBytes) bytes")
        }
        return text
    }

    func requiredText(_ key: String, maximumBytes: Int) throws(LobbyMessageError) -> String {
        guard let text = try text(key, maximumBytes: maximumBytes) else { throw problem("\(path)\(key) is missing") }
        return text
    }

    func displayText(_ key: String) throws(LobbyMessageError) -> String? {
        guard let text = try text(key, maximumBytes: 256) else { return nil }
        guard LobbyLimits.isDisplayText(text) else {
            throw wrong(key, "at most 64 characters without control characters")
        }
        return text
    }

    func roomName() throws(LobbyMessageError) -> String {
        let text = try requiredText("room", maximumBytes: 256)
        guard LobbyLimits.isRoomName(text) else { throw wrong("room", "1–64 characters without control characters") }
        return text
    }

    func participantID(_ key: String) throws(LobbyMessageError) -> String {
        guard let text = try optionalParticipantID(key) else { throw problem("\(path)\(key) is missing") }
        return text
    }

    func optionalParticipantID(_ key: String) throws(LobbyMessageError) -> String? {
        guard let text = try text(key, maximumBytes: 64) else { return nil }
        guard LobbyLimits.isParticipantID(text) else { throw wrong(key, "1–64 ASCII characters without space") }
        return text
    }

    func streamID(_ key: String) throws(LobbyMessageError) -> String {
        let text = try requiredText(key, maximumBytes: 64)
        guard LobbyLimits.isStreamID(text) else { throw wrong(key, "1–64 characters of an RFC 8866 token") }
        return text
    }

    func role() throws(LobbyMessageError) -> LobbyRole? {
        guard let text = try text("role", maximumBytes: 16) else { return nil }
        guard let role = LobbyRole(rawValue: text) else { throw wrong("role", "host or audience") }
        return role
    }

    func flag(_ key: String) throws(LobbyMessageError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.bool else { throw wrong(key, "true or false") }
        return flag
    }

    func requiredFlag(_ key: String) throws(LobbyMessageError) -> Bool {
        guard let flag = try flag(key) else { throw problem("\(path)\(key) is missing") }
        return flag
    }

    /// A whole number that JavaScript holds exactly.
    func integer(_ key: String) throws(LobbyMessageError) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let integer = value.integer, (0...LobbyLimits.largestInteger).contains(integer) else {
            throw wrong(key, "a whole number from 0 to 2^53")
        }
        return integer
    }

    func requiredInteger(_ key: String) throws(LobbyMessageError) -> Int64 {
        guard let integer = try integer(key) else { throw problem("\(path)\(key) is missing") }
        return integer
    }

    func object(_ key: String) throws(LobbyMessageError) -> MessageFields? {
        guard let value = value(key) else { return nil }
        guard let members = value.object else { throw wrong(key, "an object") }
        return MessageFields(members: members, path: "\(path)\(key).", request: request)
    }

    func requiredObject(_ key: String) throws(LobbyMessageError) -> MessageFields {
        guard let object = try object(key) else { throw problem("\(path)\(key) is missing") }
        return object
    }

    /// The elements of an array of objects; a missing array is empty.
    func objects(_ key: String, maximumCount: Int) throws(LobbyMessageError) -> [MessageFields] {
        guard let value = value(key) else { return [] }
        guard let elements = value.array, elements.count <= maximumCount else {
            throw wrong(key, "an array of at most \(maximumCount) objects")
        }
        var result: [MessageFields] = []
        for element in elements {
            guard let members = element.object else { throw wrong(key, "an array of objects") }
            result.append(MessageFields(members: members, path: "\(path)\(key)[].", request: request))
        }
        return result
    }

    /// An in-room message's body: any object, capped by the size of its text.
    func body() throws(LobbyMessageError) -> JSONValue {
        let value = try requiredObject("body")
        let body = JSONValue.object(value.members)
        guard body.text().utf8.count <= LobbyLimits.bodyBytes else {
            throw wrong("body", "an object of at most \(LobbyLimits.bodyBytes) bytes")
        }
        return body
    }
}

extension MessageFields {
    /// Reads the frame of a message: an object with a `type`, and the number under `numberKey`.
    static func reading(
        _ bytes: UnsafeRawBufferPointer, numberKey: String
    ) throws(LobbyMessageError) -> (type: String, fields: MessageFields) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes, maximumBytes: LobbyLimits.messageBytes)
        } catch {
            throw LobbyMessageError(.badMessage, "not a JSON message: \(error)")
        }
        guard let members = value.object else { throw LobbyMessageError(.badMessage, "a message is an object") }
        var fields = MessageFields(members: members)
        fields.request = try fields.integer(numberKey)
        let type = try fields.requiredText("type", maximumBytes: 64)
        return (type, fields)
    }
}
