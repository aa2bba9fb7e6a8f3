import MediaTypes
import SDP
import Testing

private func pair() throws -> (JSEPSession, JSEPSession) {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
    try Peer.exchange(&a, &b)
    return (a, b)
}

private let fresh = String(repeating: "fresh", count: 5)

@Test func aRestartGivesBothSidesFreshCredentialsAndKeepsTheRest() throws {
    var (a, b) = try pair()
    let lines = (a.lines, b.lines)
    a.restartICE(ufrag: "newA", pwd: fresh)
    #expect(a.isNegotiationNeeded)
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer)
    #expect(b.isRemoteICERestartPending)
    #expect(throws: SDPError.freshCredentialsNeeded) { try b.createAnswer() }
    b.restartICE(ufrag: "newB", pwd: fresh)
    let answer = try b.createAnswer()
    try b.setLocal(.answer, answer)
    try a.setRemote(.answer, answer)
    #expect(a.remoteTransport?.ufrag == "newB")
    #expect(b.remoteTransport?.ufrag == "newA")
    #expect(a.remoteTransport?.generation == 1 && b.remoteTransport?.generation == 1)
    #expect(a.remoteTransport?.localRole == .server, "the DTLS association goes on")
    #expect(a.lines == lines.0 && b.lines == lines.1)
    #expect(!a.isNegotiationNeeded && !b.isNegotiationNeeded && !b.isRemoteICERestartPending)
}

@Test func aRestartTakenBackIsOfferedAgain() throws {
    var (a, b) = try pair()
    a.restartICE(ufrag: "newA", pwd: fresh)
    _ = b.addTransceiver(kind: .video, direction: .sendReceive, streamID: "x", trackID: "y")
    try a.setLocal(.offer, try a.createOffer())
    let loud = try b.createOffer()
    try b.setLocal(.offer, loud)
    try a.setRemote(.offer, loud)
    #expect(!a.isRemoteICERestartPending)
    let answer = try a.createAnswer()
    #expect(answer.contains("a=ice-ufrag:offr\r\n"), "only an offer may restart ICE")
    try a.setLocal(.answer, answer)
    try b.setRemote(.answer, answer)
    #expect(a.isNegotiationNeeded)
    #expect(try a.createOffer().contains("a=ice-ufrag:newA\r\n"))
}

@Test func candidatesOfOursStandInDescriptionsUntilARestart() throws {
    var (a, b) = try pair()
    let candidate = try #require(ICECandidate(parsing: "candidate:1 1 udp 5 192.0.2.1 9 typ host"))
    a.addLocalCandidate(candidate)
    a.addLocalCandidate(candidate)
    a.endLocalCandidates()
    let offer = try a.createOffer()
    try b.setRemote(.offer, offer)
    #expect(b.remoteTransport?.candidates == [candidate])
    #expect(b.remoteTransport?.hasEndOfCandidates == true)
    a.restartICE(ufrag: "newA", pwd: fresh)
    #expect(try !a.createOffer().contains("candidate"))
}

@Test func theControllingSideIsTheFirstOffererUnlessTheOtherIsLite() throws {
    var session = Peer.answerer
    try session.setRemote(.offer, Fixture.audioOffer(session: ["a=ice-lite"], Fixture.usual))
    #expect(session.isICEControlling == true)
    #expect(session.remoteTransport?.isICELite == true)
    var (a, b) = try pair()
    try Peer.exchange(&b, &a)
    #expect(a.isICEControlling == true)
    #expect(b.isICEControlling == false)
}
