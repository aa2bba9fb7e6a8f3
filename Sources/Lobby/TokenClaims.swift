import JSONText

/// What a token says: who may enter which room, until when, and what for. The claims are LiveKit's.
package struct TokenClaims: Sendable, Equatable {
    /// `sub`: the participant's id.
    package var participantID: String
    /// `name`: for people.
    package var name: String?
    /// `exp`, `nbf`: seconds since 1970.
    package var expiration: Int64
    package var notBefore: Int64?
    /// `video.room`
    package var room: String
    /// `video.roomJoin`
    package var roomJoin: Bool
    package var canPublish: Bool
    package var canSubscribe: Bool
    /// Whether it may send in-room messages.
    package var canPublishData: Bool
    /// Whether it may kick.
    package var roomAdmin: Bool

    package init(
        participantID: String, name: String? = nil, room: String, expiration: Int64, notBefore: Int64? = nil,
        roomJoin: Bool = true, canPublish: Bool = true, canSubscribe: Bool = true, canPublishData: Bool = true,
        roomAdmin: Bool = false
    ) {
        self.participantID = participantID
        self.name = name
        self.room = room
        self.expiration = expiration
        self.notBefore = notBefore
        self.roomJoin = roomJoin
        self.canPublish = canPublish
        self.canSubscribe = canSubscribe
        self.canPublishData = canPublishData
        self.roomAdmin = roomAdmin
    }

    init(_ payload: JSONValue) throws(TokenError) {
        guard let subject = payload["sub"]?.string else { throw .malformed("sub is missing") }
        participantID = subject
        name = try Self.optional(payload, "name", \.string)
        guard let expiration = try Self.time(payload, "exp") else { throw .malformed("exp is missing") }
        self.expiration = expiration
        notBefore = try Self.time(payload, "nbf")
        guard let grant = payload["video"], grant.object != nil else { throw .malformed("video is missing") }
        room = try Self.optional(grant, "room", \.string) ?? ""
        roomJoin = try Self.optional(grant, "roomJoin", \.bool) ?? false
        canPublish = try Self.optional(grant, "canPublish", \.bool) ?? true
        canSubscribe = try Self.optional(grant, "canSubscribe", \.bool) ?? true
        // LiveKit: who may publish may send data unless it says otherwise.
        canPublishData = try Self.optional(grant, "canPublishData", \.bool) ?? canPublish
        roomAdmin = try Self.optional(grant, "roomAdmin", \.bool) ?? false
    }

    private static func optional<Value>(
        _ object: JSONValue, _ key: String, _ read: (JSONValue) -> Value?
    ) throws(TokenError) -> Value? {
        guard let value = object[key], !value.isNull else { return nil }
        guard let read = read(value) else { throw .malformed("\(key) has the wrong type") }
        return read
    }

    /// RFC 7519 allows a fraction.
    private static func time(_ object: JSONValue, _ key: String) throws(TokenError) -> Int64? {
        guard let number = try optional(object, key, \.number) else { return nil }
        guard number >= 0, number < 1e12 else { throw .malformed("\(key) is no time") }
        return Int64(number)
    }

    func payload(issuer: String) -> JSONValue {
        var members: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(participantID), "exp": .integer(expiration),
            "video": [
                "room": .string(room), "roomJoin": .bool(roomJoin), "canPublish": .bool(canPublish),
                "canSubscribe": .bool(canSubscribe), "canPublishData": .bool(canPublishData),
                "roomAdmin": .bool(roomAdmin),
            ],
        ]
        if let name { members["name"] = .string(name) }
        if let notBefore { members["nbf"] = .integer(notBefore) }
        return .object(members)
    }
}
