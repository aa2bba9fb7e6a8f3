import MediaTypes
import SDP
import Testing

@Test func twoSessionsAgreeOnAudioVideoAndDataInOneExchange() throws {
    var (offerer, answerer) = (Peer.offerer, Peer.answerer)
    let audio = offerer.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "door", trackID: "microphone")
    let video = offerer.addTransceiver(kind: .video, direction: .sendReceive, streamID: "door", trackID: "camera")
    offerer.addDataChannelLine()
    _ = answerer.addTransceiver(kind: .video, direction: .sendReceive, streamID: "desk", trackID: "camera")
    _ = answerer.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "desk", trackID: "microphone")
    try Peer.exchange(&offerer, &answerer)

    #expect(offerer.lines.map(\.index) == [audio, video, 2])
    #expect(answerer.lines.map(\.index) == [1, 0, 2])
    #expect(answerer.lines.map(\.mid) == ["0", "1", "2"])
    #expect(offerer.lines.allSatisfy { $0.sends && $0.receives && !$0.isRejected })
    #expect(answerer.lines.allSatisfy { $0.sends && $0.receives && !$0.isRejected })
    #expect(offerer.lines[0].remoteStream == StreamReference(streamID: "desk", trackID: "microphone"))
    #expect(answerer.lines[1].remoteStream == StreamReference(streamID: "door", trackID: "camera"))
    #expect(offerer.lines[1].remoteSources.map(\.ssrc) == [answerer.lines[1].localSSRC])
    #expect(
        offerer.lines[1].remoteSources.first?.retransmissionSSRC == answerer.lines[1].localRetransmissionSSRC)
    #expect(offerer.remoteTransport?.localRole == .server)
    #expect(answerer.remoteTransport?.localRole == .client)
    #expect(offerer.isICEControlling == true)
    #expect(answerer.isICEControlling == false)
    #expect(!offerer.isNegotiationNeeded)
    #expect(!answerer.isNegotiationNeeded)
}
