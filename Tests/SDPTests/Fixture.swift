import Glibc

/// Descriptions written by real stacks, kept in Tests/Fixtures/sdp.
enum Fixture {
    struct Missing: Error {
        var name: String
    }

    static func text(_ name: String) throws -> String {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        guard let file = fopen("/\(folder)/Fixtures/sdp/\(name).sdp", "r") else { throw Missing(name: name) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 70_000)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    static let names = [
        "aiortc-answer", "aiortc-answer-recv", "aiortc-offer", "chromium-answer", "chromium-publish-offer",
        "janus-publish-answer", "janus-simulcast-answer", "janus-subscribe-offer", "janus-videocall-answer",
        "janus-videocall-offer", "wrtc-answer", "wrtc-offer",
    ]

    /// A minimal offer by hand: `lines` are attribute lines put into the audio line.
    static func audioOffer(session: [String] = [], _ attributes: [String]) -> String {
        let head = ["v=0", "o=- 1 1 IN IP4 127.0.0.1", "s=-", "t=0 0"] + session
        let line = ["m=audio 9 UDP/TLS/RTP/SAVPF 111", "c=IN IP4 0.0.0.0", "a=rtpmap:111 opus/48000/2"]
        return (head + line + attributes).map { $0 + "\r\n" }.joined()
    }

    /// The attributes with which a lone audio line is acceptable.
    static let usual = [
        "a=mid:0", "a=rtcp-mux", "a=ice-ufrag:abcd", "a=ice-pwd:abcdefghijklmnopqrstuv", "a=setup:actpass",
        "a=fingerprint:sha-256 \(Peer.fingerprint(9))",
    ]
}
