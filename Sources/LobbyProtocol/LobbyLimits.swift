/// What PROTOCOL.md promises in numbers, and the rules for names; used by both sides.
package enum LobbyLimits {
    package static let protocolVersion: Int64 = 1
    package static let subprotocol = "callbox-lobby"
    package static let path = "/ws"
    /// Bytes of one WebSocket message; a bigger one is closed with 1009.
    package static let messageBytes = 256 * 1024
    /// Bytes of one session description (the SDP parser has the same cap).
    package static let descriptionBytes = 64 * 1024
    package static let candidateBytes = 1024
    package static let tokenBytes = 8 * 1024
    /// Bytes of the JSON of an in-room message's body.
    package static let bodyBytes = 16 * 1024
    package static let streamsPerParticipant = 4
    package static let participantsPerRoom = 6
    /// A larger integer is not exact in JavaScript.
    package static let largestInteger: Int64 = 1 << 53

    /// A room's name: 1–64 characters, none of them a control character.
    package static func isRoomName(_ text: String) -> Bool {
        !text.isEmpty && isDisplayText(text)
    }

    /// A participant's id: 1–64 printable ASCII characters without space, so that "smaller" means the same everywhere.
    package static func isParticipantID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// A stream's id: 1–64 characters of RFC 8866's `token`, so that it can stand in `a=msid`.
    package static func isStreamID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x30...0x39, 0x41...0x5A, 0x5E...0x7E: true
                default: false
                }
            }
    }

    /// A name or a remark for people: at most 64 characters, at most 256 bytes, no control characters.
    package static func isDisplayText(_ text: String) -> Bool {
        text.utf8.count <= 256 && text.count <= 64
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
                default: true
                }
            }
    }
}
