import MediaTypes
import SDP
import Testing

/// Two sessions that agreed on one audio line both ways.
private func audioPair() throws -> (JSEPSession, JSEPSession) {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "door", trackID: "microphone")
    _ = b.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "desk", trackID: "microphone")
    try Peer.exchange(&a, &b)
    return (a, b)
}

@Test(arguments: [true, false])
func aLineAddedLaterByEitherSideLeavesTheOthersAlone(isAddedByFirstOfferer: Bool) throws {
    var (a, b) = try audioPair()
    let before = (a.lines[0], b.lines[0])
    if isAddedByFirstOfferer {
        _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "door", trackID: "camera")
        #expect(a.isNegotiationNeeded)
        try Peer.exchange(&a, &b)
    } else {
        _ = b.addTransceiver(kind: .video, direction: .sendReceive, streamID: "desk", trackID: "camera")
        #expect(b.isNegotiationNeeded)
        try Peer.exchange(&b, &a)
    }
    #expect(a.lines[0] == before.0)
    #expect(b.lines[0] == before.1)
    let (sender, receiver) = isAddedByFirstOfferer ? (a.lines[1], b.lines[1]) : (b.lines[1], a.lines[1])
    #expect(sender.sends && !sender.receives)
    #expect(receiver.receives && !receiver.sends)
    #expect(sender.mid == "1" && receiver.mid == "1")
    #expect(a.remoteTransport?.localRole == .server, "DTLS roles stay whoever offers")
    #expect(b.remoteTransport?.localRole == .client)
    #expect(a.remoteTransport?.generation == 0)
    #expect(!a.isNegotiationNeeded && !b.isNegotiationNeeded)
}

@Test func aChangedDirectionIsAgreedInBothOrders() throws {
    var (a, b) = try audioPair()
    a.setDirection(.receiveOnly, line: 0)
    #expect(a.isNegotiationNeeded)
    try Peer.exchange(&a, &b)
    #expect(!a.lines[0].sends && a.lines[0].receives)
    #expect(b.lines[0].sends && !b.lines[0].receives)
    #expect(b.lines[0].remoteStream == nil)
    #expect(!b.isNegotiationNeeded, "an answerer who would like more was already told no")

    a.setDirection(.inactive, line: 0)
    try Peer.exchange(&a, &b)
    #expect(!a.lines[0].receives && !b.lines[0].sends)

    a.setDirection(.sendReceive, line: 0)
    try Peer.exchange(&a, &b)
    #expect(a.lines[0].sends && a.lines[0].receives && b.lines[0].sends)
}

@Test(arguments: [
    (MediaDirection.sendReceive, MediaDirection.sendReceive, true, true),
    (.sendReceive, .receiveOnly, true, false), (.sendReceive, .sendOnly, false, true),
    (.sendReceive, .inactive, false, false), (.sendOnly, .receiveOnly, true, false),
    (.receiveOnly, .sendOnly, false, true), (.inactive, .sendReceive, false, false),
])
func directionsMeet(offered: MediaDirection, wanted: MediaDirection, sends: Bool, receives: Bool) throws {
    var (a, b) = try audioPair()
    b.setDirection(wanted, line: 0)
    a.setDirection(offered, line: 0)
    try Peer.exchange(&a, &b)
    #expect(a.lines[0].sends == sends)
    #expect(a.lines[0].receives == receives)
    #expect(b.lines[0].sends == receives)
    #expect(b.lines[0].receives == sends)
}

@Test func anOfferWithMoreLinesThanWeHaveIsReceivedOnly() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    for camera in 0..<3 {
        _ = a.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s\(camera)", trackID: "t\(camera)")
    }
    let mine = b.addTransceiver(kind: .video, direction: .sendReceive, streamID: "desk", trackID: "camera")
    try Peer.exchange(&a, &b)
    #expect(b.lines.map(\.index) == [mine, 1, 2])
    #expect(b.lines.map(\.sends) == [true, false, false])
    #expect(b.lines.map(\.receives) == [true, true, true])
    #expect(b.lines.map(\.remoteStream?.streamID) == ["s0", "s1", "s2"])
    #expect(Set(a.lines.compactMap(\.codec?.sendPayloadType)).count == 1, "one codec has one number in a bundle")
}

@Test func tracksOfAnAudienceTakeLinesThatOnlyReceive() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .receiveOnly, streamID: "", trackID: "")
    _ = b.addTransceiver(kind: .audio, direction: .receiveOnly, streamID: "", trackID: "")
    _ = b.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "desk", trackID: "microphone")
    try Peer.exchange(&a, &b)
    #expect(b.lines.map(\.index) == [1])
    #expect(b.lines[0].sends && !b.lines[0].receives)
    #expect(b.isNegotiationNeeded, "the line that only receives still waits for a place")
}

@Test func aTrackAddedWhileAnOfferIsBeingAnsweredTakesItsLine() throws {
    var (a, b) = (Peer.offerer, Peer.answerer)
    _ = a.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "door", trackID: "microphone")
    let offer = try a.createOffer()
    try a.setLocal(.offer, offer)
    try b.setRemote(.offer, offer)
    let line = b.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "desk", trackID: "microphone")
    try b.setLocal(.answer, try b.createAnswer())
    #expect(b.lines.map(\.index) == [line])
    #expect(b.lines[0].sends)
    #expect(!b.isNegotiationNeeded)
}

@Test func aStreamGivenToALineIsAnnounced() throws {
    var (a, b) = try audioPair()
    a.setStream(streamID: "gate", trackID: "second microphone", line: 0)
    #expect(a.isNegotiationNeeded)
    try Peer.exchange(&a, &b)
    #expect(b.lines[0].remoteStream == StreamReference(streamID: "gate", trackID: "second_microphone"))
}

@Test func dataChannelsAreAgreedOnOneLineWhoeverAsks() throws {
    var (a, b) = try audioPair()
    #expect(b.addDataChannelLine() == b.addDataChannelLine())
    a.addDataChannelLine()
    try Peer.exchange(&b, &a)
    #expect(a.lines.map(\.kind) == [.audio, .data])
    #expect(a.remoteTransport?.sctpPort == 5_000)
    #expect(!a.isNegotiationNeeded)
}
