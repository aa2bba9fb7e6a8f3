import MediaTypes

/// What a payload type means on one media line.
enum PayloadRole: Equatable {
    case unknown
    case media
    /// A retransmission (RFC 4588) of media.
    case retransmission
}
