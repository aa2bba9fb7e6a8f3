/// A STUN or TURN server that a room service recommends to whoever joins.
package struct RoomICEServer: Sendable, Equatable {
    /// `stun:host:port`, `turn:host:port?transport=tcp`, … (RFC 7064, 7065); not checked.
    package var urls: [String]
    package var username: String?
    /// A secret: every description leaves it out.
    package var credential: String?

    package init(urls: [String], username: String? = nil, credential: String? = nil) {
        self.urls = urls
        self.username = username
        self.credential = credential
    }
}

extension RoomICEServer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { urls.joined(separator: ", ") }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["urls": urls]) }
}
