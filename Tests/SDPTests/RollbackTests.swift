import MediaTypes
import SDP
import Testing

@Test func thePoliteSideTakesItsOfferBackAndBothTracksFlowAfterOneMoreExchange() throws {
    var (impolite, polite) = (Peer.offerer, Peer.answerer)
    _ = impolite.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "door", trackID: "microphone")
    let video = polite.addTransceiver(kind: .video, direction: .sendReceive, streamID: "desk", trackID: "camera")
    let audio = polite.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "desk", trackID: "microphone")
    let loud = try impolite.createOffer()
    try impolite.setLocal(.offer, loud)
    try polite.setLocal(.offer, try polite.createOffer())
    #expect(polite.signalingState == .haveLocalOffer)
    #expect(polite.isICEControlling == true)

    try polite.setRemote(.offer, loud)
    #expect(polite.signalingState == .haveRemoteOffer)
    #expect(polite.isICEControlling == false)
    let answer = try polite.createAnswer()
    try polite.setLocal(.answer, answer)
    try impolite.setRemote(.answer, answer)
    #expect(polite.lines.map(\.index) == [audio])
    #expect(impolite.lines.map(\.sends) == [true])
    #expect(polite.isNegotiationNeeded, "the video line still waits")

    try Peer.exchange(&polite, &impolite)
    #expect(polite.lines.map(\.index) == [audio, video])
    #expect(polite.lines.map(\.mid) == ["0", "1"])
    #expect(impolite.lines.map(\.receives) == [true, true])
    #expect(!polite.isNegotiationNeeded && !impolite.isNegotiationNeeded)
}

@Test func aRollbackForgetsTheOfferAndKeepsWhatWasAskedFor() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    let line = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    try a.setLocal(.offer, try a.createOffer())
    try a.setLocal(.rollback)
    #expect(a.signalingState == .stable)
    #expect(a.lines.isEmpty)
    #expect(a.isNegotiationNeeded)

    try b.setRemote(.offer, try a.createOffer())
    try b.setRemote(.rollback)
    #expect(b.signalingState == .stable)
    #expect(b.remoteTransport == nil)
    #expect(!b.isNegotiationNeeded, "the line that the offer brought is gone with it")
    try Peer.exchange(&a, &b)
    #expect(a.lines.map(\.index) == [line])
}

@Test func aRollbackInARunningConnectionReturnsToWhatWasAgreed() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    try Peer.exchange(&a, &b)
    let (linesOfA, linesOfB, transport) = (a.lines, b.lines, b.remoteTransport)
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    a.stop(line: 0)
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer)
    try b.setRemote(.rollback)
    try a.setLocal(.rollback)
    #expect(a.lines == linesOfA)
    #expect(b.lines == linesOfB)
    #expect(b.remoteTransport == transport)
    try Peer.exchange(&a, &b)
    #expect(a.lines.map(\.isRejected) == [true, false])
}

@Test func aProvisionalAnswerAppliesUntilTheFinalOne() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer)
    let early = try b.createAnswer()
    try b.setLocal(.provisionalAnswer, early)
    try a.setRemote(.provisionalAnswer, early)
    #expect(a.signalingState == .haveRemoteProvisionalAnswer)
    #expect(b.signalingState == .haveLocalProvisionalAnswer)
    #expect(a.lines.map(\.receives) == [false])
    let final = try b.createAnswer()
    try b.setLocal(.answer, final)
    try a.setRemote(.answer, final)
    #expect(a.signalingState == .stable && b.signalingState == .stable)
}

@Test func operationsInTheWrongStateAreRefused() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    #expect(throws: SDPError.self) { try a.createAnswer() }
    #expect(throws: SDPError.self) { try a.setLocal(.rollback) }
    #expect(throws: SDPError.self) { try a.setRemote(.rollback) }
    #expect(throws: SDPError.self) { try a.setLocal(.answer, "") }
    let offer = try a.createOffer()
    #expect(throws: SDPError.self) { try a.setRemote(.answer, offer) }
    #expect(throws: SDPError.self) { try a.setLocal(.offer, offer + "a=x\r\n") }
    try a.setLocal(.offer, offer)
    #expect(throws: SDPError.self) { try a.setRemote(.rollback) }
    try b.setRemote(.offer, offer)
    #expect(throws: SDPError.self) { try b.createOffer() }
    #expect(throws: SDPError.self) { try b.setRemote(.answer, offer) }
}

@Test func anOfferMayBeMadeAgainBeforeItIsAnswered() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    try a.setLocal(.offer, try a.createOffer())
    _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
    try Peer.exchange(&a, &b)
    #expect(a.lines.map(\.mid) == ["0", "1"])
    #expect(b.lines.map(\.receives) == [true, true])
}
