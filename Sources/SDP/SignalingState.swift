/// Where the offer/answer exchange of a connection stands (RFC 8829 §3.2).
package enum SignalingState: String, Sendable {
    case stable = "stable"
    case haveLocalOffer = "have-local-offer"
    case haveRemoteOffer = "have-remote-offer"
    case haveLocalProvisionalAnswer = "have-local-pranswer"
    case haveRemoteProvisionalAnswer = "have-remote-pranswer"
}
