import JSONText
import Testing

@testable import Lobby

private let key = LobbyKey(name: "APIreception", secret: Array("0123456789abcdef0123456789abcdef".utf8))
private let now: Int64 = 1_800_000_000

private func claims(expiration: Int64 = now + 60, notBefore: Int64? = nil) -> TokenClaims {
    TokenClaims(
        participantID: "door", name: "Front door", room: "reception", expiration: expiration, notBefore: notBefore)
}

private func verify(_ token: String, room: String = "reception", keys: [LobbyKey] = [key], at time: Int64 = now)
    throws -> TokenClaims
{
    try Token.verify(token, keys: keys, room: room, now: time)
}

/// A token whose header and payload are any text, properly signed.
private func signed(header: String, payload: String) throws -> String {
    let head = Base64URL.encode(header.utf8) + "." + Base64URL.encode(payload.utf8)
    let proper = Token.mint(claims(), key: key)
    // The signature is found by minting is not possible for any text; RFC 7515 A.1 covers the arithmetic.
    return head + "." + proper.split(separator: ".")[2]
}

@Suite struct TokenTests {
    @Test func whatIsMintedIsAccepted() throws {
        var all = claims(notBefore: now)
        all.canPublish = false
        all.canSubscribe = false
        all.roomAdmin = true
        #expect(try verify(Token.mint(all, key: key)) == all)
    }

    @Test func theSignatureIsThatOfRFC7515() throws {
        // RFC 7515 appendix A.1: other claims, so only the signature is passed; then sub is missed.
        let secret = try #require(
            Base64URL.decode(
                Array("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow".utf8)))
        let token =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let joe = LobbyKey(name: "joe", secret: secret)
        #expect(throws: TokenError.malformed("sub is missing")) { try verify(token, keys: [joe]) }
        #expect(throws: TokenError.signature) {
            try verify(token.replacing("dBjf", with: "eBjf"), keys: [joe])
        }
    }

    @Test func everyChangedCharacterIsRefused() throws {
        let token = Token.mint(claims(), key: key)
        for index in token.indices {
            var changed = token
            changed.replaceSubrange(index...index, with: token[index] == "A" ? "B" : "A")
            #expect(throws: TokenError.self) { try verify(changed) }
        }
        for index in token.indices { #expect(throws: TokenError.self) { try verify(String(token[..<index])) } }
    }

    @Test func algorithmNoneIsRefusedWithAndWithoutSignature() throws {
        let payload = claims().payload(issuer: key.name).text()
        for algorithm in ["none", "None", "HS384", "RS256"] {
            let token = try signed(header: #"{"alg":"\#(algorithm)"}"#, payload: payload)
            #expect(throws: TokenError.algorithm) { try verify(token) }
            let unsigned = token.split(separator: ".")[..<2].joined(separator: ".") + "."
            #expect(throws: TokenError.algorithm) { try verify(unsigned) }
        }
    }

    @Test(arguments: [
        (now + 59, false), (now, false), (now - 60, false), (now - 61, true), (now - 86_400, true),
    ])
    func anExpiredTokenIsRefusedAfterTheClockSkew(expiration: Int64, isRefused: Bool) throws {
        let token = Token.mint(claims(expiration: expiration), key: key)
        if isRefused {
            #expect(throws: TokenError.expired(secondsAgo: now - expiration)) { try verify(token) }
        } else {
            #expect(throws: Never.self) { try verify(token) }
        }
    }

    @Test func aTokenOfTheFutureIsRefusedBeforeTheClockSkew() throws {
        let token = Token.mint(claims(expiration: now + 1000, notBefore: now + 61), key: key)
        #expect(throws: TokenError.notYetValid(seconds: 61)) { try verify(token) }
        #expect(throws: Never.self) { try verify(token, at: now + 1) }
    }

    @Test func aTokenOpensOnlyItsRoomAndOnlyWithRoomJoin() throws {
        #expect(throws: TokenError.otherRoom) { try verify(Token.mint(claims(), key: key), room: "kitchen") }
        var noJoin = claims()
        noJoin.roomJoin = false
        #expect(throws: TokenError.mayNotJoin) { try verify(Token.mint(noJoin, key: key)) }
    }

    @Test func theIssuerChoosesTheKey() throws {
        let other = LobbyKey(name: "other", secret: Array("fedcba9876543210fedcba9876543210".utf8))
        let token = Token.mint(claims(), key: other)
        #expect(throws: Never.self) { try verify(token, keys: [key, other]) }
        #expect(throws: TokenError.unknownIssuer) { try verify(token, keys: [key]) }
        let impostor = LobbyKey(name: "other", secret: key.secret)
        #expect(throws: TokenError.signature) { try verify(Token.mint(claims(), key: impostor), keys: [key, other]) }
    }

    @Test func base64URLRoundTripsAndRefusesOtherForms() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64URL.decode(Array(Base64URL.encode(bytes).utf8)) == bytes)
        }
        for text in ["A", "AA==", "A+", "A/", "AB", "AAB", "A A"] {
            #expect(Base64URL.decode(Array(text.utf8)) == nil, "\(text)")
        }
    }

    @Test func noDescriptionShowsTheSecret() {
        #expect(!"\(key)".contains("0123"))
        #expect(!String(reflecting: key).contains("0123"))
        var dumped = ""
        dump([key], to: &dumped)
        #expect(!dumped.contains("48"))
    }
}
