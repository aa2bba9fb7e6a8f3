/// Which way media may flow on a line, seen from the side that wrote it (RFC 8866 §6.7).
package enum MediaDirection: String, Hashable, Sendable {
    case sendReceive = "sendrecv"
    case sendOnly = "sendonly"
    case receiveOnly = "recvonly"
    case inactive = "inactive"

    package init(sends: Bool, receives: Bool) {
        switch (sends, receives) {
        case (true, true): self = .sendReceive
        case (true, false): self = .sendOnly
        case (false, true): self = .receiveOnly
        case (false, false): self = .inactive
        }
    }

    package var sends: Bool { self == .sendReceive || self == .sendOnly }
    package var receives: Bool { self == .sendReceive || self == .receiveOnly }

    /// What may be answered to an offer of `offered` by a side that would like `self`.
    package func answering(_ offered: MediaDirection) -> MediaDirection {
        MediaDirection(sends: sends && offered.receives, receives: receives && offered.sends)
    }
}
