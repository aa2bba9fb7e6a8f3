/// What a datagram on the one path of a connection carries, by its first two bytes (RFC 7983, RFC 5761).
///
/// ```
///             +----------------+
///             |        [0..3] -+--> STUN, which libnice keeps
///             |      [20..63] -+--> DTLS
///             |    [128..191] -+--> RTP, or RTCP when the second byte is 192..223
///             +----------------+
/// ```
enum DatagramKind: Equatable {
    case dtls
    case rtp
    case rtcp

    /// nil: nothing that this endpoint takes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 2 else { return nil }
        switch bytes[0] {
        case 20...63: self = .dtls
        case 128...191: self = (192...223).contains(bytes[1]) ? .rtcp : .rtp
        default: return nil
        }
    }
}
