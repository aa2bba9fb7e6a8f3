import JSONText
import LobbyProtocol
import Testing

private func request(_ text: String) throws -> LobbyRequest {
    var text = text
    return try text.withUTF8 { try LobbyRequest(parsing: UnsafeRawBufferPointer($0)) }
}

private func event(_ text: String) throws -> LobbyEvent {
    var text = text
    return try text.withUTF8 { try LobbyEvent(parsing: UnsafeRawBufferPointer($0)) }
}

@Suite struct LobbyMessageTests {
    @Test(arguments: [
        ("", LobbyErrorCode.badMessage), ("[]", .badMessage), ("{}", .badMessage), (#"{"type":7}"#, .badMessage),
        (#"{"type":"dance"}"#, .unknownType), (#"{"type":"join"}"#, .badMessage),
        (#"{"type":"join","room":""}"#, .badMessage), (#"{"type":"join","room":"a\u0007"}"#, .badMessage),
        (#"{"type":"join","room":"a","participant":{"id":"a b"}}"#, .badMessage),
        (#"{"type":"join","room":"a","protocol":2}"#, .badMessage),
        (#"{"type":"join","room":"a","role":"king"}"#, .badMessage),
        (#"{"type":"publish","stream":{"id":"a"}}"#, .badMessage),
        (#"{"type":"publish","stream":{"id":"a@b","hasAudio":true,"hasVideo":true}}"#, .badMessage),
        (#"{"type":"signal","to":"a"}"#, .badMessage),
        (#"{"type":"signal","to":"a","endOfCandidates":false}"#, .badMessage),
        (#"{"type":"signal","to":"a","description":{"type":"pranswer","sdp":"v=0"}}"#, .badMessage),
        (#"{"type":"signal","to":"a","description":{"type":"offer"}}"#, .badMessage),
        (#"{"type":"signal","to":"a","candidate":{"candidate":"x","sdpMLineIndex":-1}}"#, .badMessage),
        (#"{"type":"message","body":"text"}"#, .badMessage), (#"{"type":"kick"}"#, .badMessage),
        (#"{"type":"ping","request":9007199254740993}"#, .badMessage),
    ])
    func aMessageOutsideTheProtocolIsRefused(text: String, code: LobbyErrorCode) {
        let error = thrown(LobbyMessageError.self) { try request(text) }
        #expect(error?.code == code, "\(String(describing: error))")
    }

    @Test func aRefusalCarriesTheRequestsNumber() {
        let error = thrown(LobbyMessageError.self) { try request(#"{"type":"kick","request":12}"#) }
        #expect(error == LobbyMessageError(.badMessage, "participant is missing", request: 12))
    }

    @Test func whatABrowserWritesIsRead() throws {
        // RTCIceCandidate.toJSON() and a rollback as Chromium and Firefox write them.
        let candidate = try request(
            #"{"type":"signal","to":"a","candidate":{"candidate":"","sdpMid":null,"sdpMLineIndex":null,"#
                + #""usernameFragment":"x"}}"#)
        #expect(
            candidate.body == .signal(to: "a", session: nil, .candidate(candidate: "", mid: nil, lineIndex: nil)))
        let rollback = try request(#"{"type":"signal","to":"a","description":{"type":"rollback","sdp":""}}"#)
        #expect(rollback.body == .signal(to: "a", session: nil, .description(type: .rollback, sdp: "")))
        #expect(LobbyLimits.isStreamID("{6f3a8f0e-5c1d-4c56-8d3e-000000000000}"))
    }

    @Test func fieldsAndTypesOfALaterVersionAreIgnored() throws {
        #expect(try event(#"{"type":"pong","later":[1]}"#).body == .pong)
        #expect(try event(#"{"type":"later"}"#).body == .unknown)
        #expect(try event(#"{"type":"error","code":"later","text":"x"}"#).body == .error(.badMessage, text: "x"))
    }

    @Test func bigBodiesAndDescriptionsAreRefused() throws {
        let text = String(repeating: "x", count: LobbyLimits.bodyBytes)
        #expect(throws: LobbyMessageError.self) { try request(#"{"type":"message","body":{"a":"\#(text)"}}"#) }
        let sdp = String(repeating: "x", count: LobbyLimits.descriptionBytes)
        let message = LobbyRequest(.signal(to: "a", session: 1, .description(type: .offer, sdp: sdp)))
        #expect(try request(message.text) == message)
        let more = LobbyRequest(.signal(to: "a", session: 1, .description(type: .offer, sdp: sdp + "x")))
        #expect(throws: LobbyMessageError.self) { try request(more.text) }
    }

    @Test func anErrorNeverQuotesTheToken() {
        let text = #"{"type":"join","room":7,"token":"secret"}"#
        let error = thrown(LobbyMessageError.self) { try request(text) }
        #expect(error.map { !"\($0)".contains("secret") } == true)
    }
}
