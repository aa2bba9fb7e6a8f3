import MediaTypes
import SDP
import Testing

@Test func weSendWithTheFarSidesNumbersAndReceiveWithOurs() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "t")
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer)
    var answer = try #require(SessionDescription(parsing: b.createAnswer()))
    answer.lines[0].formats = ["120", "121"]
    answer.lines[0].codecs[0].payloadType = PayloadType(120)
    answer.lines[0].codecs[1].payloadType = PayloadType(121)
    answer.lines[0].codecs[1].parameters = FormatParameters(parsing: "apt=120")
    answer.lines[0].extensions[0].id = 13
    try a.setRemote(.answer, answer.text)
    let line = a.lines[0]
    #expect(line.codec?.sendPayloadType == PayloadType(120))
    #expect(line.codec?.receivePayloadType == PayloadType(96))
    #expect(line.codec?.sendRetransmissionPayloadType == PayloadType(121))
    #expect(line.codec?.receiveRetransmissionPayloadType == PayloadType(97))
    #expect(line.extensions.absoluteSendTime == 0, "a renumbered extension is not used")
    #expect(line.extensions.mid == 4)
    // Later offers repeat our numbers, not theirs, and a new line takes them too.
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    let next = try #require(SessionDescription(parsing: a.createOffer()))
    #expect(next.lines.map { $0.codecs.map(\.payloadType.rawValue) } == [[96, 97], [96, 97]])
}

@Test func ourOffersAfterTheirsKeepTheirNumbersAndAvoidTheTakenOnes() throws {
    var session = Peer.answerer
    _ = session.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    // Their opus is 96, which is our number for VP8, and their extension 4 is not our mid.
    let lines = Fixture.usual + ["a=extmap:4 urn:unknown", "a=extmap:1 \(HeaderExtensionNumbers.midURI)"]
    let offer = Fixture.audioOffer(session: ["a=group:BUNDLE 0"], lines).split(separator: "111").joined(separator: "96")
    try session.setRemote(.offer, offer)
    try session.setLocal(.answer, try session.createAnswer())
    _ = session.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    _ = session.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "v")
    let next = try #require(SessionDescription(parsing: session.createOffer()))
    #expect(next.lines.map { $0.codecs.map(\.payloadType.rawValue) } == [[96], [97, 98], [96]])
    #expect(next.lines[1].codecs[1].associatedPayloadType == PayloadType(97))
    let numbers = next.lines.map { line in
        line.extensions.first { $0.uri == HeaderExtensionNumbers.midURI }?.id
    }
    #expect(numbers == [1, 1, 1])
    var meanings: [UInt8: Set<String>] = [4: ["urn:unknown"]]
    for entry in next.lines.flatMap(\.extensions) { meanings[entry.id, default: []].insert(entry.uri) }
    #expect(meanings.values.allSatisfy { $0.count == 1 }, "one number has one meaning in a bundle")
}

@Test func retransmissionsAreAgreedOnlyWhenBothHaveThem() throws {
    var session = Peer.answerer
    _ = session.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "t")
    let offer = Fixture.audioOffer(
        session: ["a=group:BUNDLE 0"], Fixture.usual + ["a=rtpmap:97 rtx/90000", "a=fmtp:97 apt=111"]
    )
    .split(separator: "m=audio 9 UDP/TLS/RTP/SAVPF 111").joined(separator: "m=video 9 UDP/TLS/RTP/SAVPF 111 97")
    .split(separator: "opus/48000/2").joined(separator: "vp8/90000")
    var plain = session
    try session.setRemote(.offer, offer)
    let answer = try session.createAnswer()
    try session.setLocal(.answer, answer)
    #expect(session.lines[0].codec?.sendRetransmissionPayloadType == PayloadType(97))
    #expect(answer.contains("a=ssrc-group:FID"))

    try plain.setRemote(.offer, offer.split(separator: "apt=111").joined(separator: "apt=110"))
    let shorter = try plain.createAnswer()
    try plain.setLocal(.answer, shorter)
    #expect(plain.lines[0].codec?.sendRetransmissionPayloadType == nil)
    #expect(!shorter.contains("a=ssrc-group"))
    #expect(!shorter.contains("rtx"))
}

@Test func everyStreamOfASessionHasItsOwnSSRCAndTheSameSeedGivesTheSame() throws {
    var (a, b) = (Peer.session(ufrag: "same", seed: 5), Peer.session(ufrag: "same", seed: 5))
    for number in 0..<20 {
        _ = a.addTransceiver(kind: .video, direction: .sendOnly, streamID: "s", trackID: "t\(number)")
        _ = b.addTransceiver(kind: .video, direction: .sendOnly, streamID: "s", trackID: "t\(number)")
    }
    let text = try a.createOffer()
    #expect(try b.createOffer() == text)
    let sources = try #require(SessionDescription(parsing: text)).lines.flatMap(\.sources).map(\.ssrc)
    #expect(Set(sources).count == 40)
}

@Test func theOptionsStandInWhatWeWrite() throws {
    var options = JSEPOptions()
    options.usesDiscontinuousTransmission = true
    options.maximumAudioBitrate = .kilobitsPerSecond(24)
    options.maximumVideoBitrate = .kilobitsPerSecond(800)
    var (a, b) = (Peer.session(ufrag: "opts", seed: 3, options: options), Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    try Peer.exchange(&a, &b)
    #expect(b.lines[0].codec?.remoteParameters.integer("usedtx") == 1)
    #expect(b.lines[0].codec?.remoteParameters.integer("maxaveragebitrate") == 24_000)
    #expect(b.lines[1].remoteMaximumBitrate == .kilobitsPerSecond(800))
}
