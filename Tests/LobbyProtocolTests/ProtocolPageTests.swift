import JSONText
import LobbyProtocol
import Testing

private let page = ProtocolPage()

private func bytes<T>(_ text: String, _ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    var text = text
    return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
}

@Suite struct ProtocolPageTests {
    @Test(arguments: page.examples) func everyExampleIsReadAndWrittenBackUnchanged(example: ProtocolPage.Example) throws
    {
        let json = try JSONValue(parsing: example.json)
        #expect(json["type"]?.string == example.type)
        let written =
            try example.sender == "client"
            ? bytes(example.json) { try LobbyRequest(parsing: $0) }.text
            : bytes(example.json) { try LobbyEvent(parsing: $0) }.text
        #expect(try JSONValue(parsing: written) == json)
    }

    @Test func thePageShowsEveryMessage() {
        let client = Set(page.examples.filter { $0.sender == "client" }.map(\.type))
        #expect(
            client == [
                "join", "leave", "publish", "unpublish", "change", "signal", "message", "kick", "role", "ping",
            ])
        let lobby = Set(page.examples.filter { $0.sender == "lobby" }.map(\.type))
        #expect(
            lobby == [
                "joined", "participantJoined", "participantChanged", "participantLeft", "streamAdded", "streamRemoved",
                "streamChanged", "signal", "message", "kicked", "left", "done", "error", "pong",
            ])
    }

    @Test func thePageNamesEveryCodeAndLimit() {
        for code in LobbyErrorCode.allCases { #expect(page.text.contains("`\(code.rawValue)`"), "\(code)") }
        for code in LobbyCloseCode.allCases { #expect(page.text.contains("| \(code.rawValue) |"), "\(code)") }
        for reason in LobbyLeaveReason.allCases { #expect(page.text.contains("`\(reason.rawValue)`"), "\(reason)") }
        #expect(page.text.contains("at most \(LobbyLimits.messageBytes / 1024) KiB"))
        #expect(page.text.contains("at most \(LobbyLimits.bodyBytes / 1024) KiB"))
        #expect(page.text.contains("at most \(LobbyLimits.streamsPerParticipant) streams"))
        #expect(page.text.contains("subprotocol `\(LobbyLimits.subprotocol)`"))
    }

    @Test(arguments: page.examples)
    func everyExampleCutShortOrWithAFieldMissingNeverTraps(example: ProtocolPage.Example) throws {
        // The last byte is a newline: without it the example is still whole.
        for end in example.json.utf8.indices.dropLast() {
            let text = String(example.json[..<end])
            #expect(throws: LobbyMessageError.self) { try bytes(text) { try LobbyRequest(parsing: $0) } }
            #expect(throws: LobbyMessageError.self) { try bytes(text) { try LobbyEvent(parsing: $0) } }
        }
        let members = try #require(try JSONValue(parsing: example.json).object)
        let strange: [JSONValue] = [nil, true, 1, -1, 0.5, "", "\u{7}", [], [1], [:], ["id": 5]]
        for key in members.keys {
            for value in strange {
                var changed = members
                changed[key] = value
                bytes(JSONValue.object(changed).text()) { fuzzLobbyMessages($0) }
            }
        }
    }
}
