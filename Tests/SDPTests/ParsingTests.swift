import MediaTypes
import SDP
import Testing

private func audioLine(session: [String] = [], _ attributes: [String]) throws -> MediaDescription {
    let text = Fixture.audioOffer(session: session, attributes)
    return try #require(SessionDescription(parsing: text)?.lines.first)
}

@Test func valuesGivenOnceForTheSessionCountForEveryLine() throws {
    let line = try audioLine(
        session: [
            "a=ice-ufrag:abcd", "a=ice-pwd:abcdefghijklmnopqrstuv", "a=setup:passive", "a=sendonly",
            "a=fingerprint:sha-256 \(Peer.fingerprint(9))", "a=extmap:7 urn:x", "a=ice-options:trickle ice2",
        ], [])
    #expect(line.credentials == ICECredentials(ufrag: "abcd", pwd: "abcdefghijklmnopqrstuv"))
    #expect(line.setup == .passive)
    #expect(line.direction == .sendOnly)
    #expect(line.fingerprints.map(\.value) == [Peer.fingerprint(9)])
    #expect(line.extensions == [HeaderExtension(id: 7, uri: "urn:x")])
    #expect(line.supportsTrickle)
}

@Test func valuesOfALineCountMoreThanThoseOfTheSession() throws {
    let line = try audioLine(
        session: ["a=setup:passive", "a=sendonly", "a=fingerprint:sha-256 \(Peer.fingerprint(9))"],
        ["a=setup:active", "a=inactive", "a=fingerprint:sha-256 \(Peer.fingerprint(8))"])
    #expect(line.setup == .active)
    #expect(line.direction == .inactive)
    #expect(line.fingerprints.map(\.value) == [Peer.fingerprint(8)])
}

@Test func theSHA256FingerprintComesFirstWhateverTheOrder() throws {
    let long = [String](repeating: "0A", count: 64).joined(separator: ":")
    let line = try audioLine([
        "a=fingerprint:sha-1 00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD:EE:FF:00:11:22:33",
        "a=fingerprint:SHA-512 \(long)", "a=fingerprint:sha-256 \(Peer.fingerprint(0xAB).lowercased())",
        "a=fingerprint:sha-256 AA:BB", "a=fingerprint:sha-256 \(Peer.fingerprint(1)):00",
    ])
    #expect(line.fingerprints.map(\.algorithm) == [.sha256, .sha512])
    #expect(line.fingerprints.first?.value == Peer.fingerprint(0xAB))
}

@Test(arguments: [
    ("DTLS/SCTP 5000", "a=sctpmap:5000 webrtc-datachannel 1024", UInt16(5_000)),
    ("DTLS/SCTP 5001", "a=mid:0", 5_001),
    ("UDP/DTLS/SCTP webrtc-datachannel", "a=sctp-port:5002", 5_002),
])
func bothFormsOfDataLinesGiveTheSCTPPort(format: String, attribute: String, port: UInt16) throws {
    let text = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=application 9 \(format)\r\n\(attribute)\r\n"
    let line = try #require(SessionDescription(parsing: text)?.lines.first)
    #expect(line.sctpPort == port)
}

@Test func theOlderPlacesOfStreamNamesAreRead() throws {
    let line = try audioLine(["a=ssrc:5 cname:c", "a=ssrc:5 msid:stream track"])
    #expect(line.announcedStream == StreamReference(streamID: "stream", trackID: "track"))
    let both = try audioLine(["a=ssrc:5 msid:stream track", "a=msid:- newer"])
    #expect(both.announcedStream == StreamReference(streamID: "", trackID: "newer"))
    let none = try audioLine(["a=ssrc:5 cname:c"])
    #expect(none.announcedStream == nil)
}

@Test func repeatedAndProtectingStreamsAreNotPrimary() throws {
    let line = try audioLine([
        "a=ssrc-group:FID 1 2", "a=ssrc-group:FID 3 4", "a=ssrc-group:FEC-FR 1 9", "a=ssrc-group:SIM 1 3",
        "a=ssrc:1 cname:c", "a=ssrc:2 cname:c", "a=ssrc:3 cname:c", "a=ssrc:4 cname:c", "a=ssrc:9 cname:c",
    ])
    #expect(line.primarySources.map(\.ssrc.rawValue) == [1, 3])
    #expect(line.retransmissionSource(of: SSRC(3)) == SSRC(4))
    #expect(line.retransmissionSource(of: SSRC(4)) == nil)
}

@Test func feedbackForAllFormatsCountsForEach() throws {
    let line = try audioLine(["a=rtcp-fb:* nack", "a=rtcp-fb:111 transport-cc", "a=rtcp-fb:111 rrtr"])
    #expect(line.codecs.first?.feedback == [.nack, .transportWideCongestionControl])
}

@Test func formatParametersAreReadWithoutRegardToCaseOrSpaces() throws {
    let line = try audioLine(["a=fmtp:111 minptime=10; UseInbandFEC=1;maxaveragebitrate=24000 ;;bare"])
    let parameters = try #require(line.codecs.first?.parameters)
    #expect(parameters.integer("useinbandfec") == 1)
    #expect(parameters.integer("maxaveragebitrate") == 24_000)
    #expect(parameters["bare"] == nil)
    #expect(parameters.text == "minptime=10;UseInbandFEC=1;maxaveragebitrate=24000;bare")
}

@Test func theLimitOnWhatTheFarSideReceivesIsReadFromBothKindsOfBandwidthLine() throws {
    #expect(try audioLine(["b=AS:64"]).maximumBitrate == .kilobitsPerSecond(64))
    #expect(try audioLine(["b=AS:64", "b=TIAS:50000"]).maximumBitrate == Bitrate(bitsPerSecond: 50_000))
    #expect(try audioLine(["b=TIAS:50000", "b=AS:64"]).maximumBitrate == Bitrate(bitsPerSecond: 50_000))
    #expect(try audioLine(["b=AS:-1"]).maximumBitrate == nil)
}

@Test func anExtensionNumberIsTakenOnlyOnceAndOnlyInItsRange() throws {
    let line = try audioLine([
        "a=extmap:1 urn:a", "a=extmap:1 urn:b", "a=extmap:2 urn:a", "a=extmap:0 urn:c", "a=extmap:15 urn:d",
        "a=extmap:256 urn:e", "a=extmap:16/sendonly urn:f", "a=extmap:3/inactive urn:g",
    ])
    #expect(line.extensions == [HeaderExtension(id: 1, uri: "urn:a"), HeaderExtension(id: 16, uri: "urn:f")])
}

@Test(arguments: ["\r\n", "\n"])
func bothLineEndsAreRead(end: String) throws {
    let text = Fixture.audioOffer(Fixture.usual).split(separator: "\r\n").joined(separator: end)
    #expect(SessionDescription(parsing: text)?.lines.count == 1)
}
