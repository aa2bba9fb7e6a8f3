/// Why a token is refused; never quotes it.
package enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing
    case malformed(String)
    /// `alg` is not HS256 (this includes `none`).
    case algorithm
    case unknownIssuer
    case signature
    /// By this many seconds; a wrong clock on either side looks the same.
    case expired(secondsAgo: Int64)
    case notYetValid(seconds: Int64)
    case otherRoom
    case mayNotJoin
    case otherParticipant

    package var description: String {
        switch self {
        case .missing: "this lobby wants a token"
        case .malformed(let reason): "the token is malformed: \(reason)"
        case .algorithm: "the token is not signed with HS256"
        case .unknownIssuer: "the token's iss names no key of this lobby"
        case .signature: "the token's signature is wrong: another key, or changed on the way"
        case .expired(let seconds): "the token expired \(seconds) s ago by the lobby's clock"
        case .notYetValid(let seconds): "the token is valid only in \(seconds) s by the lobby's clock"
        case .otherRoom: "the token is for another room"
        case .mayNotJoin: "the token lacks video.roomJoin"
        case .otherParticipant: "the token's sub is not the participant's id"
        }
    }
}
