/// Why a `MediaSession` dropped something that came from the network or could not be sent.
package enum PacketDropReason: Int, CaseIterable, Sendable {
    /// Not a well-formed RTP packet.
    case malformedRTP
    /// Not a well-formed RTCP packet, or a block of it contradicts itself.
    case malformedRTCP
    /// No media line claims it by MID, SSRC or payload type.
    case unknownStream
    /// Its line does not receive now.
    case lineNotReceiving
    case unknownPayloadType
    case duplicate
    /// Too old to tell whether it had come before.
    case tooOld
    /// Padding only, sent to probe the path; counted, not a fault.
    case paddingOnly
    /// A retransmission for a stream that has not started, or one that is too short.
    case strayRetransmission
    /// A new SSRC on a line that just changed its SSRC.
    case sourceChangedTooOften
    case badPayloadDescriptor
    /// A payload longer than any network lets through.
    case payloadTooLong
    /// No memory left for packets that wait for a missing one; everything before the next key frame is thrown away.
    case receiveBufferFull
    /// A received or submitted frame above the size limit.
    case frameTooLarge
    /// A submitted frame that did not fit behind those still waiting for the pacer.
    case sendBufferFull
    /// Submitted on a line that does not send now, or of no sensible size.
    case notSendable
    /// A NACK for a packet that is no longer kept, or was just sent again.
    case retransmissionNotKept
    /// Retransmissions beyond their share of the bit rate.
    case retransmissionOverBudget
    /// Output that nobody polled.
    case outputOverflow
}
