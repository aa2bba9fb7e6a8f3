import SDP
import Testing

private let head = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n"

@Test(arguments: [
    "", "\r\n", "v=1\r\n", "o=- 1 1 IN IP4 127.0.0.1\r\nv=0\r\n", "v=0\r\n", "v=0\r\na=mid:0\r\n",
    head + "x\r\n", head + "a\r\n", head + "=a\r\n", head + "m=audio\r\n", head + "m=audio 70000 RTP 1\r\n",
    head + "m=audio -9 RTP 1\r\n", head + "m=audio 9 RTP\r\n", head + "m=au\u{0}dio 9 RTP 1\r\n",
    head + "m=audio 9 RTP 1\r\na=mid:0\rx\r\n", head + "o=- 1 1 IN IP4 127.0.0.1\r\n",
    "v=0\r\no=- 1 1 IN IP4\r\n", head + "m=audio 9 A 1\r\na=mid:x\r\nm=audio 9 A 1\r\na=mid:x\r\n", "{\"sdp\":\"v=0\"}",
])
func aTextThatIsNoDescriptionIsRefused(text: String) {
    #expect(SessionDescription(parsing: text) == nil)
    var session = Peer.answerer
    #expect(throws: SDPError.malformed) { try session.setRemote(.offer, text) }
    #expect(session.signalingState == .stable)
}

@Test func aTextBeyondTheLimitsIsRefused() {
    let lines = (0..<65).map { "m=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:\($0)\r\n" }
    #expect(SessionDescription(parsing: head + lines.dropLast().joined()) != nil)
    #expect(SessionDescription(parsing: head + lines.joined()) == nil)
    let padding = String(repeating: "a=x\r\n", count: 14_000)
    #expect(SessionDescription(parsing: head + padding) == nil)
}

@Test func aLineFullOfEntriesIsCutInsteadOfGrowing() throws {
    var text = head + "m=audio 9 UDP/TLS/RTP/SAVPF \((0..<250).map { String($0) }.joined(separator: " "))\r\n"
    for number in 0..<1_000 { text += "a=ssrc:\(number) cname:c\r\na=candidate:1 1 udp 1 h 1 typ host\r\n" }
    let line = try #require(SessionDescription(parsing: text)?.lines.first)
    #expect(line.formats.count == 128)
    #expect(line.sources.count == 128)
    #expect(line.candidates.count == 128)
}

@Test func aMidWithAnotherLineInsideNeverReachesOurAnswer() throws {
    let text = Fixture.audioOffer(Fixture.usual.dropFirst() + ["a=mid:0\u{85}a=x", "a=msid:a\u{0B}b c"])
    var session = Peer.answerer
    try session.setRemote(.offer, text)
    let answer = try session.createAnswer()
    #expect(!answer.contains("a=x"))
    #expect(answer.utf8.allSatisfy { $0 == 13 || $0 == 10 || (0x20...0x7E).contains($0) })
}

/// Mutations of real descriptions neither crash the parser nor the exchange, and never leave it half changed.
@Test(arguments: Fixture.names)
func randomDamageIsRefusedOrSurvived(name: String) throws {
    let seed = UInt64.random(in: 1 ... .max)
    var random = SeededRandom(state: seed)
    let original = Array(try Fixture.text(name).utf8)
    for _ in 0..<40 {
        var bytes = original
        for _ in 0..<random.below(12) + 1 {
            let position = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes[position] = UInt8(random.below(256))
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(contentsOf: bytes[position...].prefix(random.below(60)), at: random.below(bytes.count))
            default: bytes.removeSubrange(position..<min(position + random.below(80), bytes.count))
            }
            if bytes.isEmpty { bytes = [0] }
        }
        let text = String(decoding: bytes, as: UTF8.self)
        if let description = SessionDescription(parsing: text) {
            #expect(SessionDescription(parsing: description.text) != nil, "seed \(seed)")
        }
        var session = Peer.answerer
        _ = session.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "t")
        do throws(SDPError) {
            try session.setRemote(.offer, text)
            try session.setLocal(.answer, try session.createAnswer())
            #expect(session.signalingState == .stable, "seed \(seed)")
            _ = try session.createOffer()
        } catch {
            #expect(session.signalingState == .stable, "seed \(seed): \(error)")
        }
        var offerer = Peer.offerer
        _ = offerer.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "t")
        _ = offerer.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "u")
        offerer.addDataChannelLine()
        try offerer.setLocal(.offer, offerer.createOffer())
        do throws(SDPError) {
            try offerer.setRemote(.answer, text)
            #expect(offerer.signalingState == .stable, "seed \(seed)")
        } catch {
            #expect(offerer.signalingState == .haveLocalOffer, "seed \(seed): \(error)")
        }
    }
}

/// SplitMix64, so that a failing seed can be run again.
private struct SeededRandom {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
