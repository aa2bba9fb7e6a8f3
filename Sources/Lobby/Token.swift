import COpenSSL
import JSONText

/// Makes and checks tokens: JWT (RFC 7519) signed with HS256, in the form that LiveKit uses.
package enum Token {
    /// Clocks of boards differ by so much; for `exp` and `nbf`.
    package static let clockSkewSeconds: Int64 = 60
    private static let maximumBytes = 8 * 1024

    package static func mint(_ claims: TokenClaims, key: LobbyKey) -> String {
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        let signed =
            Base64URL.encode(header.text().utf8) + "."
            + Base64URL.encode(claims.payload(issuer: key.name).text().utf8)
        return signed + "." + Base64URL.encode(signature(of: Array(signed.utf8), secret: key.secret))
    }

    /// - Parameters:
    ///   - keys: the one that `iss` names counts; a token without `iss` is checked with an only key.
    ///   - room: the room to be entered.
    ///   - now: wall clock, seconds since 1970.
    package static func verify(
        _ text: String, keys: [LobbyKey], room: String, now: Int64
    ) throws(TokenError) -> TokenClaims {
        guard text.utf8.count <= maximumBytes else { throw .malformed("too long") }
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("not three parts") }
        let header = try json(parts[0])
        guard header["alg"]?.string == "HS256" else { throw .algorithm }
        guard header["crit"] == nil else { throw .malformed("crit is not known here") }
        let payload = try json(parts[1])
        let key = try key(for: payload, among: keys)
        guard let given = Base64URL.decode(parts[2]) else { throw .malformed("not base64url") }
        let expected = signature(of: Array(bytes[..<parts[1].endIndex]), secret: key.secret)
        guard given.count == expected.count, CRYPTO_memcmp(given, expected, expected.count) == 0 else {
            throw .signature
        }
        let claims = try TokenClaims(payload)
        if now > claims.expiration + clockSkewSeconds { throw .expired(secondsAgo: now - claims.expiration) }
        if let notBefore = claims.notBefore, now < notBefore - clockSkewSeconds {
            throw .notYetValid(seconds: notBefore - now)
        }
        guard claims.roomJoin else { throw .mayNotJoin }
        guard claims.room == room else { throw .otherRoom }
        return claims
    }

    private static func key(for payload: JSONValue, among keys: [LobbyKey]) throws(TokenError) -> LobbyKey {
        if let issuer = payload["iss"]?.string {
            guard let key = keys.first(where: { $0.name == issuer }) else { throw .unknownIssuer }
            return key
        }
        guard keys.count == 1 else { throw .unknownIssuer }
        return keys[0]
    }

    private static func json(_ part: ArraySlice<UInt8>) throws(TokenError) -> JSONValue {
        guard let bytes = Base64URL.decode(part) else { throw .malformed("not base64url") }
        let value = try? bytes.withUnsafeBytes { bytes throws(JSONError) in try JSONValue(parsing: bytes) }
        guard let value, value.object != nil else { throw .malformed("not JSON") }
        return value
    }

    private static func signature(of bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        let result = HMAC(EVP_sha256(), secret, Int32(secret.count), bytes, bytes.count, &digest, &count)
        precondition(result != nil && count == 32, "HMAC-SHA256 needs nothing that can be missing")
        return digest
    }
}
