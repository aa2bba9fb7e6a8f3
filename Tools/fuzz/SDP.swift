import SDP

/// One input is a description or a candidate line of a hostile far side: it goes through the parser, through a session
/// as offer and as answer, and everything that is written must be readable again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSDP(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
    if let candidate = ICECandidate(parsing: text) {
        precondition(ICECandidate(parsing: candidate.text) == candidate, "a candidate is read back as it was written")
    }
    if let description = SessionDescription(parsing: text) {
        precondition(SessionDescription(parsing: description.text) != nil, "what is written can be read")
    }
    guard
        let transport = LocalTransport(
            ufrag: "fuzz", pwd: "fuzzfuzzfuzzfuzzfuzzfuzz",
            fingerprint: [String](repeating: "0A", count: 32).joined(separator: ":"))
    else { return 0 }
    var answerer = JSEPSession(localTransport: transport, sessionID: 1, cname: "fuzz", ssrcSeed: 1)
    _ = answerer.addTransceiver(kind: .audio, direction: .sendReceive, streamID: "s", trackID: "a")
    _ = answerer.addTransceiver(kind: .video, direction: .sendReceive, streamID: "s", trackID: "v")
    var offerer = answerer
    offerer.addDataChannelLine()
    do throws(SDPError) {
        try answerer.setRemote(.offer, text)
        let answer = try answerer.createAnswer()
        precondition(SessionDescription(parsing: answer) != nil, "an answer can be read")
        try answerer.setLocal(.answer, answer)
        let next = try answerer.createOffer()
        precondition(SessionDescription(parsing: next) != nil, "an offer can be read")
        try answerer.setLocal(.offer, next)
        // The same text again: a renewal that takes our own offer back.
        try answerer.setRemote(.offer, text)
    } catch {
        precondition(answerer.signalingState != .haveRemoteOffer, "a refused offer leaves no trace")
    }
    do throws(SDPError) {
        try offerer.setLocal(.offer, try offerer.createOffer())
        try offerer.setRemote(.answer, text)
        precondition(offerer.signalingState == .stable, "an accepted answer ends the exchange")
    } catch {
        precondition(offerer.signalingState == .haveLocalOffer, "a refused answer leaves no trace")
    }
    return 0
}
