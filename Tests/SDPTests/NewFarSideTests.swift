import MediaTypes
import SDP
import Testing

private let ids = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]

private func session(_ name: String, seed: UInt64, tlsID: String?) throws -> JSEPSession {
    let transport = try #require(
        LocalTransport(
            ufrag: name, pwd: String(repeating: name, count: 6), fingerprint: Peer.fingerprint(UInt8(seed)),
            tlsID: tlsID))
    var session = JSEPSession(localTransport: transport, sessionID: seed, cname: name, ssrcSeed: seed)
    _ = session.addTransceiver(kind: .audio, direction: .sendReceive, streamID: name, trackID: "t")
    return session
}

@Test func descriptionsNameTheAssociationWhereBothSidesCan() throws {
    var a = try session("offr", seed: 1, tlsID: ids[0])
    var b = try session("answ", seed: 2, tlsID: ids[1])
    let (offer, answer) = try Peer.exchange(&a, &b)
    #expect(offer.contains("a=tls-id:\(ids[0])\r\n"))
    #expect(answer.contains("a=tls-id:\(ids[1])\r\n"))
    #expect(a.remoteTransport?.tlsID == ids[1] && b.remoteTransport?.tlsID == ids[0])
}

@Test func anAnswerToABrowserNamesNoAssociation() throws {
    var browser = try session("offr", seed: 1, tlsID: nil)
    var b = try session("answ", seed: 2, tlsID: ids[1])
    let (_, answer) = try Peer.exchange(&browser, &b)
    #expect(!answer.contains("tls-id"))
}

@Test func aFarSideThatBeganAnewIsToldByItsCertificateOrItsAssociation() throws {
    var a = try session("offr", seed: 1, tlsID: ids[0])
    var b = try session("answ", seed: 2, tlsID: ids[1])
    let (offer, _) = try Peer.exchange(&a, &b)
    #expect(!b.isOfNewFarSide(.offer, offer))
    var sameProcess = try session("offr", seed: 1, tlsID: ids[1])
    #expect(b.isOfNewFarSide(.offer, try sameProcess.createOffer()))
    var otherProcess = try session("offr", seed: 3, tlsID: nil)
    #expect(b.isOfNewFarSide(.offer, try otherProcess.createOffer()))
    // A browser that was known by its certificate alone.
    var restarted = try session("offr", seed: 1, tlsID: nil)
    #expect(!b.isOfNewFarSide(.offer, try restarted.createOffer()))
    a.restartICE(ufrag: "newA", pwd: String(repeating: "fresh", count: 5))
    #expect(!b.isOfNewFarSide(.offer, try a.createOffer()), "an ICE restart keeps the association")
    #expect(!b.isOfNewFarSide(.offer, "no description"))
    #expect(!(try session("x123", seed: 9, tlsID: nil)).isOfNewFarSide(.offer, offer), "nobody was known before")
}

@Test func anAnswerOfANewFarSideIsToldToo() throws {
    var a = try session("offr", seed: 1, tlsID: ids[0])
    var b = try session("answ", seed: 2, tlsID: ids[1])
    try Peer.exchange(&a, &b)
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    var fresh = try session("answ", seed: 2, tlsID: ids[0])
    try fresh.setRemote(.offer, offer)
    let answer = try fresh.createAnswer()
    #expect(a.isOfNewFarSide(.answer, answer))
    #expect(throws: SDPError.self) { try a.setRemote(.answer, answer) }
}

@Test(arguments: ["short", "with space 0123456789", "", "umlautumlautumlautumlaüt"])
func aTLSIDOfAnotherFormIsIgnored(text: String) throws {
    #expect(!LocalTransport.isTLSID(text))
    var a = try session("offr", seed: 1, tlsID: ids[0])
    let offer = try a.createOffer().split(separator: ids[0], omittingEmptySubsequences: false).joined(separator: text)
    var b = try session("answ", seed: 2, tlsID: ids[1])
    try b.setRemote(.offer, offer)
    #expect(b.remoteTransport?.tlsID == nil)
}
