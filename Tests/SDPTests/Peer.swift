import SDP

/// Ready-made sessions and the exchange between two of them.
enum Peer {
    static let offerer = session(ufrag: "offr", seed: 1)
    static let answerer = session(ufrag: "answ", seed: 2)

    static func session(ufrag: String, seed: UInt64, options: JSEPOptions = JSEPOptions()) -> JSEPSession {
        // Both arguments are well formed, so this cannot be nil.
        let transport = LocalTransport(
            ufrag: ufrag, pwd: String(repeating: ufrag, count: 6), fingerprint: fingerprint(UInt8(seed)))!
        return JSEPSession(
            localTransport: transport, sessionID: seed &* 7_919, cname: "cname-\(ufrag)", ssrcSeed: seed,
            options: options)
    }

    static func fingerprint(_ byte: UInt8) -> String {
        let pair = (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        return [String](repeating: pair, count: 32).joined(separator: ":")
    }

    /// One whole exchange; returns the texts of the offer and the answer.
    @discardableResult
    static func exchange(_ offerer: inout JSEPSession, _ answerer: inout JSEPSession) throws -> (
        offer: String, answer: String
    ) {
        let offer = try offerer.createOffer()
        try offerer.setLocal(.offer, offer)
        try answerer.setRemote(.offer, offer)
        let answer = try answerer.createAnswer()
        try answerer.setLocal(.answer, answer)
        try offerer.setRemote(.answer, answer)
        return (offer, answer)
    }
}
