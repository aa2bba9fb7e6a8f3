/// Where a peer connection stands, in the words of the call's log.
package enum PeerConnectionState: String, Sendable, Hashable {
    /// Nothing was exchanged yet.
    case new
    case connecting
    /// A path is found and secured; media flows.
    case connected
    /// The far side stopped answering; a new path is looked for.
    case disconnected
    /// Given up; only closing is left.
    case failed
    case closed
}
