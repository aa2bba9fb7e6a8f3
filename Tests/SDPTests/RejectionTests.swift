import MediaTypes
import SDP
import Testing

private let head = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"
private let transport =
    "a=ice-ufrag:abcd\r\na=ice-pwd:abcdefghijklmnopqrstuv\r\na=setup:actpass\r\n"
    + "a=fingerprint:sha-256 \(Peer.fingerprint(9))\r\n"

private func opus(mid: String?, port: Int = 9, extra: String = "") -> String {
    "m=audio \(port) UDP/TLS/RTP/SAVPF 111\r\na=rtpmap:111 opus/48000/2\r\na=rtcp-mux\r\n"
        + (mid.map { "a=mid:\($0)\r\n" } ?? "") + extra
}

private func answer(_ offer: String, in session: inout JSEPSession) throws -> SessionDescription {
    try session.setRemote(.offer, offer)
    let text = try session.createAnswer()
    try session.setLocal(.answer, text)
    return try #require(SessionDescription(parsing: text))
}

@Test func theNextLineBecomesTheTagWhenTheFirstIsRejected() throws {
    let offer =
        head + "a=group:BUNDLE h v a\r\n" + transport + "m=video 9 UDP/TLS/RTP/SAVPF 102\r\na=mid:h\r\n"
        + "a=rtcp-mux\r\na=rtpmap:102 H264/90000\r\nm=text 9 RTP/AVP 98\r\na=mid:v\r\n" + opus(mid: "a")
    var session = Peer.answerer
    let description = try answer(offer, in: &session)
    #expect(description.lines.map(\.port) == [0, 0, 9])
    #expect(description.lines.map(\.media) == ["video", "text", "audio"])
    #expect(description.lines.map(\.proto) == ["UDP/TLS/RTP/SAVPF", "RTP/AVP", "UDP/TLS/RTP/SAVPF"])
    #expect(description.bundleGroups == [["a"]])
    #expect(session.lines.map(\.mid) == ["a"])
    #expect(session.remoteTransport?.ufrag == "abcd")
}

@Test func linesOutsideTheBundleAreRejected() throws {
    let offer =
        head + "a=group:LS 0 1\r\na=group:BUNDLE 0\r\na=group:BUNDLE 1\r\n" + transport + opus(mid: "0")
        + opus(mid: "1")
    var session = Peer.answerer
    #expect(try answer(offer, in: &session).lines.map(\.port) == [9, 0])
}

@Test func withoutABundleOnlyTheFirstLineIsTaken() throws {
    let offer = head + transport + opus(mid: nil) + opus(mid: nil)
    var session = Peer.answerer
    _ = session.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    let description = try answer(offer, in: &session)
    #expect(description.lines.map(\.port) == [9, 0])
    #expect(description.bundleGroups == [])
    #expect(description.lines[0].mid == nil)
    #expect(session.lines.map(\.sends) == [true])
    #expect(session.lines.map(\.mid) == [""])
    // The same offer again, as a renewal, changes nothing.
    _ = try answer(offer, in: &session)
    #expect(session.lines.map(\.index) == [0])
}

@Test func aLineThatLivesOnlyInTheBundleIsAccepted() throws {
    let offer =
        head + "a=group:BUNDLE 0 1\r\n" + transport + opus(mid: "0")
        + opus(mid: "1", port: 0, extra: "a=bundle-only\r\n")
    var session = Peer.answerer
    #expect(try answer(offer, in: &session).lines.map(\.port) == [9, 9])
}

@Test(arguments: [
    ("a=rtcp-mux", "a=mid"), ("UDP/TLS/RTP/SAVPF", "RTP/AVP"), ("opus/48000/2", "opus/48000"),
    ("opus", "PCMU"), ("m=audio 9", "m=audio 0"),
])
func aLineWeCannotCarryIsRejectedAndTheCallGoesOn(part: String, replacement: String) throws {
    var session = Peer.answerer
    let text = (head + "a=group:BUNDLE 0\r\n" + transport + opus(mid: "0")).split(separator: part).joined(
        separator: replacement)
    let description = try answer(text, in: &session)
    #expect(description.lines.map(\.port) == [0])
    #expect(session.lines.isEmpty)
    #expect(session.signalingState == .stable)
}

@Test(arguments: ["a=fingerprint", "a=ice-ufrag", "a=ice-pwd"])
func anOfferWithoutItsTransportIsRefused(missing: String) throws {
    let lines = Fixture.usual.filter { !$0.hasPrefix(missing) }
    var session = Peer.answerer
    #expect(throws: SDPError.self) { try session.setRemote(.offer, Fixture.audioOffer(lines)) }
    #expect(session.signalingState == .stable)
    #expect(session.remoteTransport == nil)
}

@Test(arguments: [
    ("a=setup:active", DTLSRole.server, DTLSSetup.passive), ("a=setup:passive", .client, .active),
    ("a=setup:actpass", .client, .active), ("a=setup:holdconn", .client, .active),
])
func theSetupOfAnOfferDecidesWhoStartsDTLS(offered: String, role: DTLSRole, answered: DTLSSetup) throws {
    let lines = Fixture.usual.map { $0.hasPrefix("a=setup") ? offered : $0 }
    var session = Peer.answerer
    let description = try answer(Fixture.audioOffer(lines), in: &session)
    #expect(session.remoteTransport?.localRole == role)
    #expect(description.lines[0].setup == answered)
}

@Test(arguments: [
    ("m=audio", "m=video"), ("a=mid:0", "a=mid:7"), ("a=setup:active", "a=setup:actpass"), ("a=rtcp-mux", "a=x"),
    ("a=group:BUNDLE 0 1", "a=group:BUNDLE 0"), ("a=fingerprint:sha-256", "a=fingerprint:md5"),
    ("a=ice-pwd", "a=ice-word"), ("m=video 9 UDP/TLS/RTP/SAVPF 96 97\r\n", "a=x\r\n"),
])
func anAnswerThatDoesNotFitTheOfferIsRefusedAndMayBeRepeated(part: String, replacement: String) throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer)
    let answer = try b.createAnswer()
    let broken = answer.split(separator: part, omittingEmptySubsequences: false).joined(separator: replacement)
    #expect(broken != answer)
    #expect(throws: SDPError.self) { try a.setRemote(.answer, broken) }
    #expect(a.signalingState == .haveLocalOffer)
    try a.setRemote(.answer, answer)
    #expect(a.signalingState == .stable)
}

@Test func theStoppedLinesPlaceIsUsedAgainUnderANewMid() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    let audio = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    let video = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    try Peer.exchange(&a, &b)
    a.stop(line: audio)
    #expect(a.isNegotiationNeeded)
    let (offer, _) = try Peer.exchange(&a, &b)
    #expect(SessionDescription(parsing: offer)?.bundleGroups == [["1"]])
    #expect(a.lines.map(\.isRejected) == [true, false])
    #expect(b.lines.map(\.isRejected) == [true, false])
    #expect(!a.isNegotiationNeeded && !b.isNegotiationNeeded)

    let second = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "v")
    try Peer.exchange(&a, &b)
    #expect(a.lines.map(\.index) == [second, video])
    #expect(a.lines.map(\.mid) == ["2", "1"])
    #expect(b.lines.map(\.mid) == ["2", "1"])
    #expect(a.lines.allSatisfy { !$0.isRejected } && b.lines.allSatisfy { !$0.isRejected })
    #expect(b.lines.allSatisfy { $0.receives })

    // And once more from the other side.
    b.stop(line: b.lines[1].index)
    try Peer.exchange(&b, &a)
    _ = b.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "x", trackID: "y")
    try Peer.exchange(&b, &a)
    #expect(a.lines.map(\.kind) == [.video, .audio])
    #expect(a.lines[1].receives)
}

@Test func aLineRejectedByTheAnswerIsNotOfferedForEver() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer.split(separator: "VP8").joined(separator: "AV1"))
    let answer = try b.createAnswer()
    try b.setLocal(.answer, answer)
    try a.setRemote(.answer, answer)
    #expect(a.lines.map(\.isRejected) == [false, true])
    #expect(a.lines.map(\.sends) == [true, false])
    #expect(!a.isNegotiationNeeded)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "v")
    try Peer.exchange(&a, &b)
    #expect(a.lines.map(\.mid) == ["0", "2"])
    #expect(b.lines.map(\.mid) == ["0", "2"])
}

@Test func anOfferThatRewritesWhatWasAgreedIsRefused() throws {
    let twoLines = head + "a=group:BUNDLE 0 1\r\n" + transport + opus(mid: "0") + opus(mid: "1")
    let changes = [
        head + "a=group:BUNDLE 0\r\n" + transport + opus(mid: "0"),
        head + "a=group:BUNDLE 0 2\r\n" + transport + opus(mid: "0") + opus(mid: "2"),
        head + "a=group:BUNDLE 1 0\r\n" + transport + opus(mid: "1") + opus(mid: "0"),
        twoLines.split(separator: Peer.fingerprint(9)).joined(separator: Peer.fingerprint(8)),
        twoLines.split(separator: "actpass").joined(separator: "active"),
    ]
    for change in changes {
        var session = Peer.answerer
        _ = try answer(twoLines, in: &session)
        let before = session.lines
        #expect(throws: SDPError.self) { try session.setRemote(.offer, change) }
        #expect(session.signalingState == .stable)
        #expect(session.lines == before)
    }
}
