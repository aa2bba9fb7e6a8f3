import MediaTypes

/// One line as this endpoint wants it, from the moment it is asked for until it is refused or stopped.
struct Transceiver: Sendable {
    /// Where the line stands in the descriptions.
    struct Place: Equatable, Sendable {
        var mediaLineIndex: Int
        var mid: String
    }

    let index: Int
    let kind: LineKind
    var direction: MediaDirection
    var stream: StreamReference
    let ssrc: SSRC
    let retransmissionSSRC: SSRC
    /// The place by the newest description, pending ones included.
    var place: Place?
    /// The place to which a rollback returns.
    var stablePlace: Place?
    /// Made for a line of a remote offer which is not answered yet; a rollback removes it.
    var isMadeForPendingOffer = false
    /// Wanted by nobody here any more; the next offer rejects the line.
    var isStopped = false
    /// The line was rejected in a finished exchange.
    var isFinished = false
    var negotiated: NegotiatedLine?
    var stableNegotiated: NegotiatedLine?

    var isWaitingForPlace: Bool { place == nil && !isStopped && !isFinished }

    mutating func rollBack() {
        place = stablePlace
        negotiated = stableNegotiated
        isFinished = stableNegotiated?.isRejected ?? false
    }

    mutating func commit() {
        stablePlace = place
        stableNegotiated = negotiated
        isMadeForPendingOffer = false
    }
}
