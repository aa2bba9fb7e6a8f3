import SDP

/// What a peer connection cannot do, by its owner's request.
package enum PeerConnectionError: Error, Sendable, CustomStringConvertible {
    case ice(ICEError)
    case description(SDPError)
    case closed

    package var description: String {
        switch self {
        case .ice(let error): error.description
        case .description(let error): error.description
        case .closed: "the connection is closed"
        }
    }
}
