/// One data channel of a connection: an ordered, reliable pair of SCTP streams with a name (RFC 8831).
struct DataChannel {
    enum State {
        /// Our offer of it is not yet confirmed; sending is allowed already (RFC 8832 §6).
        case connecting
        case open
        case closing
    }

    let label: String
    let subprotocol: String
    let stream: UInt16
    var state: State
}
