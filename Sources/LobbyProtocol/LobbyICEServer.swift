import JSONText

/// A STUN or TURN server that the lobby recommends; the form of a browser's RTCIceServer.
package struct LobbyICEServer: Sendable, Equatable {
    package var urls: [String]
    package var username: String?
    /// A secret: never logged.
    package var credential: String?

    package init(urls: [String], username: String? = nil, credential: String? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }

    init(_ fields: MessageFields) throws(LobbyMessageError) {
        // RTCIceServer allows one text instead of an array.
        if let list = fields.members["urls"]?.array {
            urls = list.compactMap(\.string)
        } else {
            urls = [try fields.requiredText("urls", maximumBytes: 512)]
        }
        guard urls.count <= 8, urls.allSatisfy({ $0.utf8.count <= 512 }) else {
            throw fields.problem("an ICE server has at most 8 urls of at most 512 bytes")
        }
        username = try fields.text("username", maximumBytes: 512)
        credential = try fields.text("credential", maximumBytes: 512)
    }

    var json: JSONValue {
        var members: [String: JSONValue] = ["urls": .array(urls.map(JSONValue.string))]
        if let username { members["username"] = .string(username) }
        if let credential { members["credential"] = .string(credential) }
        return .object(members)
    }
}
