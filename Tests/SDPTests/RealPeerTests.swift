import MediaTypes
import SDP
import Testing

private struct AnswerExpectation: CustomTestStringConvertible {
    var name: String
    var receives = true
    var videoFeedback: RTCPFeedback
    var audioExtensions: [UInt8]
    var messageSize = 262_144
    var trickles = true
    var testDescription: String { name }
}

private let everyVideoFeedback: RTCPFeedback = [
    .receiverEstimatedMaximumBitrate, .transportWideCongestionControl, .fullIntraRequest, .nack,
    .pictureLossIndication,
]
private let aiortcFeedback: RTCPFeedback = [.receiverEstimatedMaximumBitrate, .nack, .pictureLossIndication]

@Test(arguments: [
    AnswerExpectation(name: "chromium-answer", videoFeedback: everyVideoFeedback, audioExtensions: [1, 2, 3, 4, 9]),
    AnswerExpectation(name: "wrtc-answer", videoFeedback: everyVideoFeedback, audioExtensions: [1, 2, 3, 4, 9]),
    AnswerExpectation(
        name: "aiortc-answer", videoFeedback: aiortcFeedback, audioExtensions: [1, 0, 0, 4, 0], trickles: false),
    AnswerExpectation(
        name: "aiortc-answer-recv", receives: false, videoFeedback: aiortcFeedback, audioExtensions: [1, 0, 0, 4, 0],
        trickles: false),
])
private func answersOfRealStacksToOurOfferAreUnderstood(_ expected: AnswerExpectation) throws {
    var session = Peer.offerer
    _ = session.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "door", trackID: "microphone")
    _ = session.addTransceiver(kind: .video, direction: .sendReceive, streamID: "door", trackID: "camera")
    session.addDataChannelLine()
    try session.setLocal(.offer, try session.createOffer())
    try session.setRemote(.answer, Fixture.text(expected.name))

    let lines = session.lines
    #expect(lines.map(\.kind) == [.audio, .video, .data])
    #expect(lines.allSatisfy { $0.sends && !$0.isRejected })
    #expect(lines.prefix(2).allSatisfy { $0.receives == expected.receives })
    #expect(lines[0].codec?.sendPayloadType == PayloadType(111))
    #expect(lines[1].codec?.sendPayloadType == PayloadType(96))
    #expect(lines[1].codec?.sendRetransmissionPayloadType == PayloadType(97))
    #expect(lines[1].codec?.feedback == expected.videoFeedback)
    let numbers = lines[0].extensions
    #expect(
        [
            numbers.audioLevel, numbers.absoluteSendTime, numbers.transportSequence, numbers.mid,
            numbers.absoluteCaptureTime,
        ] == expected.audioExtensions)
    #expect(lines[1].remoteSources.count == 1)
    #expect(lines[1].remoteSources.first?.retransmissionSSRC != nil)
    #expect((lines[1].remoteStream != nil) == expected.receives)
    let transport = try #require(session.remoteTransport)
    #expect(transport.localRole == .server)
    #expect(transport.fingerprints.first?.algorithm == .sha256)
    #expect(transport.sctpPort == 5_000)
    #expect(transport.maxMessageSize == expected.messageSize)
    #expect(transport.supportsTrickle == expected.trickles)
    #expect(!session.isNegotiationNeeded)
}

private struct OfferExpectation: CustomTestStringConvertible {
    var name: String
    var payloadTypes: [UInt8]
    var receives: [Bool]
    var sends: [Bool]
    var testDescription: String { name }
}

@Test(arguments: [
    OfferExpectation(
        name: "chromium-publish-offer", payloadTypes: [111, 96, 97], receives: [true, true], sends: [false, false]),
    OfferExpectation(
        name: "janus-subscribe-offer", payloadTypes: [111, 96, 97], receives: [true, true], sends: [false, false]),
    OfferExpectation(
        name: "janus-videocall-offer", payloadTypes: [111, 96, 97], receives: [true, true], sends: [true, true]),
    OfferExpectation(name: "aiortc-offer", payloadTypes: [96, 97, 98], receives: [true, true], sends: [true, true]),
    OfferExpectation(name: "wrtc-offer", payloadTypes: [111, 96, 97], receives: [true, true], sends: [true, true]),
])
private func offersOfRealStacksAreAnsweredInTheirNumbers(_ expected: OfferExpectation) throws {
    var session = Peer.answerer
    _ = session.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "desk", trackID: "microphone")
    _ = session.addTransceiver(kind: .video, direction: .sendReceive, streamID: "desk", trackID: "camera")
    let offer = try Fixture.text(expected.name)
    try session.setRemote(.offer, offer)
    let answer = try session.createAnswer()
    try session.setLocal(.answer, answer)

    let offered = try #require(SessionDescription(parsing: offer))
    let answered = try #require(SessionDescription(parsing: answer))
    #expect(answered.lines.map(\.mid) == offered.lines.map(\.mid))
    #expect(answered.bundleGroups == offered.bundleGroups)
    #expect(answered.lines.allSatisfy { $0.setup == .active && $0.port == 9 && $0.credentials != nil })
    #expect(answered.lines.flatMap(\.codecs).map(\.payloadType.rawValue) == expected.payloadTypes)
    for (mine, theirs) in zip(answered.lines, offered.lines) {
        #expect(Set(mine.extensions).isSubset(of: Set(theirs.extensions)))
        #expect(mine.extensions.contains { $0.uri == HeaderExtensionNumbers.midURI } || mine.kind == .data)
    }
    for unknown in [
        "cryptex", "rrtr", "rcvr-rtt", "playout-delay", "toffset", "telephone", "G722", "simulcast", "rid:",
    ] {
        #expect(!answer.contains(unknown), "an answer never repeats what this endpoint does not implement")
    }
    let media = session.lines.filter { $0.kind != .data }
    #expect(media.map(\.receives) == expected.receives)
    #expect(media.map(\.sends) == expected.sends)
    #expect(media.allSatisfy { $0.codec?.sendPayloadType == $0.codec?.receivePayloadType })
    #expect(media.allSatisfy { $0.remoteSources.count == 1 && $0.remoteStream != nil })
    #expect(session.remoteTransport?.localRole == .client)
    #expect(session.remoteTransport?.candidates.isEmpty == false)
    #expect(session.remoteTransport?.candidates.allSatisfy { $0.component == 1 } == true)
}

@Test(arguments: Fixture.names)
func whatIsWrittenIsReadBackUnchanged(name: String) throws {
    var description = try #require(SessionDescription(parsing: Fixture.text(name)))
    #expect(SessionDescription(parsing: description.text) != nil)
    // Attributes that only some kinds of line have are not written for others.
    for index in description.lines.indices where description.lines[index].kind == .data {
        description.lines[index].direction = .sendReceive
    }
    #expect(SessionDescription(parsing: description.text) == description)
}

@Test(arguments: ["janus-publish-answer", "janus-simulcast-answer", "janus-videocall-answer"])
func answersToOffersOfOtherStacksAreReadWhole(name: String) throws {
    let description = try #require(SessionDescription(parsing: Fixture.text(name)))
    #expect(description.lines.prefix(2).map(\.kind) == [.audio, .video])
    #expect(description.lines.allSatisfy { $0.setup == .active && $0.fingerprints.count == 1 })
    #expect(description.lines.map(\.mid).prefix(2) == ["0", "1"])
    #expect(description.lines.allSatisfy { $0.candidates.count == 1 && $0.hasEndOfCandidates })
}
