import Calls
import JSONText
import MediaTypes
import Testing

@testable import Rooms

private let page = CallsPage()

/// Reads a message as if it came from the sender that it claims.
private func message(_ json: JSONValue) -> RoomMessage? {
    RoomMessage(json: json, from: json["sender_id"]?.string ?? "door")
}

@Suite struct RoomMessageTests {
    @Test(arguments: page.examples) func everyExampleIsReadAndWrittenBackUnchanged(example: CallsPage.Example) throws {
        let json = try JSONValue(parsing: example.json)
        let read = try #require(message(json))
        #expect(read.json == json)
        switch read {
        case .call(let call): #expect("\(example)" == "call: \(call.event.rawValue)")
        case .request(let request): #expect("\(example)" == "request: \(request.command.kind.rawValue)")
        }
    }

    @Test func thePageShowsEveryMessage() {
        let calls = page.examples.filter { $0.group == "call" }.map(\.name)
        #expect(calls == CallMessage.Event.allCases.map(\.rawValue))
        let requests = page.examples.filter { $0.group == "request" }.map(\.name)
        #expect(requests == RoomCommand.Kind.allCases.map { "\($0.rawValue)" })
    }

    @Test func thePageNamesEveryReasonPermissionAndBound() {
        for reason in CallEndReason.allCases { #expect(page.text.contains("`\(reason.rawValue)`"), "\(reason)") }
        for event in CallMessage.Event.allCases {
            let usual = event.usualReason.map { "`\($0.rawValue)` |" } ?? "|"
            let row = page.text.split(separator: "\n").first { $0.hasPrefix("| `\(event.rawValue)` | ") }
            #expect(row?.hasSuffix(usual) == true, "\(event)")
        }
        for entry in CommandTable().entries {
            let row = page.text.split(separator: "\n").first { $0.hasPrefix("| \(entry.number) | ") }
            let columns = row?.split(separator: "|").map { $0.drop { $0 == " " } } ?? []
            #expect(columns.count > 3 && columns[2].hasPrefix("yes") == entry.isAnswered, "\(entry)")
            #expect(columns.count > 3 && columns[3].hasPrefix(entry.permission.rawValue), "\(entry)")
        }
        #expect(page.text.contains("1–\(MessageBounds.idLength) characters"))
        #expect(page.text.contains("at most \(MessageBounds.textLength) characters"))
        #expect(page.text.contains("`duration_ms` 1 … \(RoomCommand.relayRange.upperBound) "))
        #expect(page.text.contains("`seconds` 1 … \(RoomCommand.secondsRange.upperBound) "))
        #expect(page.text.contains("(10 s)") && CallSettings().lostTime == .seconds(10))
        #expect(page.text.contains("`calls.ring-seconds`, 30 s") && CallSettings().ringTime == .seconds(30))
        #expect(page.text.contains("after 60 s") && SpeakSession.patience == .seconds(60))
    }

    @Test(arguments: page.examples)
    func everyExampleWithAFieldMissingOrStrangeNeverTraps(example: CallsPage.Example) throws {
        let members = try #require(try JSONValue(parsing: example.json).object)
        let strange: [JSONValue] = [
            nil, true, 1, -1, 0.5, 1e300, .integer(.max), .integer(.min), "", "\u{7}", "a b", [], [1], [:], ["id": 5],
            .string(String(repeating: "x", count: 65)), .string(String(repeating: "ü", count: 100_000)),
        ]
        for key in members.keys {
            for value in strange {
                var changed = members
                changed[key] = value
                check(.object(changed))
            }
            guard let data = members[key]?.object else { continue }
            for inner in data.keys {
                for value in strange {
                    var changed = members
                    var changedData = data
                    changedData[inner] = value
                    changed[key] = .object(changedData)
                    check(.object(changed))
                }
            }
        }
    }

    /// What is read is within the bounds, and is read again from what is written.
    private func check(_ json: JSONValue) {
        guard let read = message(json) else { return }
        let sender = if case .request(let request) = read { request.senderID } else { "door" }
        #expect(RoomMessage(json: read.json, from: sender) == read, "\(json)")
        if case .call(let call) = read { #expect((1...64).contains(call.callID.utf8.count)) }
    }

    @Test func aClaimedSenderMustBeTheRealOne() throws {
        let json = try JSONValue(
            parsing: #"{"room_request_type":10100,"request_id":"r","sender_id":"desk","receiver_id":"door"}"#)
        #expect(RoomMessage(json: json, from: "desk") != nil)
        #expect(RoomMessage(json: json, from: "hall") == nil)
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"null"#, #"{"text":"Good morning"}"#, #"{"call_event":"dance","call_id":"c"}"#,
        #"{"call_event":"invite"}"#, #"{"call_event":"invite","call_id":""}"#, #"{"call_event":7,"call_id":"c"}"#,
        #"{"call_event":"invite","call_id":"ä"}"#, #"{"call_event":"cancel","call_id":"c","reason":"bored"}"#,
        #"{"room_request_type":10000,"request_id":"r","sender_id":"door"}"#,
        #"{"room_request_type":"10000","request_id":"r","sender_id":"door","receiver_id":""}"#,
        #"{"room_request_type":9,"request_id":"r","sender_id":"door","receiver_id":""}"#,
        #"{"room_request_type":10106,"request_id":"r","sender_id":"door","receiver_id":"","extended_data":{"percent":101}}"#,
        #"{"room_request_type":10106,"request_id":"r","sender_id":"door","receiver_id":"","extended_data":[]}"#,
        #"{"room_request_type":10104,"request_id":"r","sender_id":"door","receiver_id":"","extended_data":{"duration_ms":0}}"#,
        #"{"room_request_type":10105,"request_id":"r","sender_id":"door","receiver_id":"","extended_data":{"text":"\u001b[2J","seconds":1}}"#,
    ])
    func aMessageOutsideThePageIsRefused(text: String) throws {
        #expect(message(try JSONValue(parsing: text)) == nil)
    }

    @Test func nullAndUnknownMembersAreAsIfMissing() throws {
        let call = try JSONValue(parsing: #"{"call_event":"cancel","call_id":"c","reason":null,"later":[1]}"#)
        #expect(message(call) == .call(CallMessage(.cancel, callID: "c")))
        let relay = try JSONValue(
            parsing:
                #"{"room_request_type":10104,"request_id":"r","sender_id":"a","receiver_id":"","extended_data":null}"#)
        let request = RoomRequest(
            .openRelay(name: nil, duration: nil), requestID: "r", senderID: "a", receiverID: nil)
        #expect(message(relay) == .request(request))
    }

    @Test func aTextThatThisSideWritesIsCutToItsBounds() {
        let text = "line\nbreak" + String(repeating: "ü", count: 300)
        let request = RoomRequest(.refused(text), requestID: "r", senderID: "a", receiverID: "b")
        let written = RoomMessage.request(request).json
        guard case .request(let read) = RoomMessage(json: written, from: "a"), case .refused(let cut) = read.command
        else {
            Issue.record("\(written)")
            return
        }
        #expect(cut.hasPrefix("linebreakü") && cut.unicodeScalars.count == 200)
    }
}
