/// What a datagram on the one port of a bundled connection is, told by its first bytes (RFC 7983 §7, RFC 5761 §4).
package enum DatagramKind: Sendable {
    case stun
    case dtls
    case turnChannel
    case rtp
    case rtcp
    case unknown

    package init(_ bytes: UnsafeRawBufferPointer) {
        guard let first = bytes.first else {
            self = .unknown
            return
        }
        switch first {
        case 0...3: self = .stun
        case 20...63: self = .dtls
        case 64...79: self = .turnChannel
        case 128...191: self = isRTCP(bytes) ? .rtcp : .rtp
        default: self = .unknown
        }
    }
}

/// True for RTCP, false for RTP, when both share a port: RTCP packet types 192 … 223 (RFC 5761 §4).
///
/// Only the first two bytes are looked at, so it also works on SRTP and SRTCP.
package func isRTCP(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && bytes[0] >> 6 == 2 && (192...223).contains(bytes[1])
}
