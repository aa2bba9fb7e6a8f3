import CSRTP

/// Protects and opens RTP and RTCP packets in place by libsrtp: one session per direction, for any SSRC.
///
/// - Thread: `cb-net` only; no allocation per packet except at the first packet of an SSRC.
/// - Errors: a packet that does not open is counted by its reason and dropped.
/// - Source: RFC 3711, RFC 7714.
final class SRTPTransport {
    /// Packets that were not let through, by reason.
    struct Counters: Sendable, Equatable {
        /// The tag is wrong: damaged, forged, or keyed for somebody else.
        var authenticationFailures = 0
        /// Seen before, or older than the replay window.
        var replays = 0
        /// Malformed, or no room for the tag.
        var others = 0
    }

    /// Most bytes that protection adds (`SRTP_MAX_TRAILER_LEN` and the SRTCP index).
    static let maximumTrailerByteCount = Int(SRTP_MAX_TRAILER_LEN) + 4
    /// Packets a resent one may be behind: 1024 are about 2 s of video at 4 Mbit/s.
    private static let replayWindow: UInt = 1_024

    private(set) var counters = Counters()
    private let outbound: srtp_t
    private let inbound: srtp_t

    init(keys: SRTPKeys) throws(SRTPError) {
        try SRTPLibrary.start()
        outbound = try SRTPTransport.makeSession(keys.profile, key: keys.local, ssrc: ssrc_any_outbound)
        do throws(SRTPError) {
            inbound = try SRTPTransport.makeSession(keys.profile, key: keys.remote, ssrc: ssrc_any_inbound)
        } catch {
            srtp_dealloc(outbound)
            throw error
        }
    }

    deinit {
        srtp_dealloc(outbound)
        srtp_dealloc(inbound)
    }

    /// Protects an RTP packet; the buffer holds `count` bytes and has room for the trailer behind them.
    /// - Returns: the new size, or nil when the packet cannot be sent.
    func protectRTP(_ packet: UnsafeMutableRawBufferPointer, count: Int) -> Int? {
        guard packet.count >= count + SRTPTransport.maximumTrailerByteCount else { return refuse() }
        var size = Int32(count)
        return finish(srtp_protect(outbound, packet.baseAddress, &size), size)
    }

    /// Protects an RTCP compound; room as for RTP.
    func protectRTCP(_ packet: UnsafeMutableRawBufferPointer, count: Int) -> Int? {
        guard packet.count >= count + SRTPTransport.maximumTrailerByteCount else { return refuse() }
        var size = Int32(count)
        return finish(srtp_protect_rtcp(outbound, packet.baseAddress, &size), size)
    }

    /// Opens a received RTP packet; nil: drop it.
    func openRTP(_ packet: UnsafeMutableRawBufferPointer) -> Int? {
        guard packet.count >= 12 else { return refuse() }
        var size = Int32(clamping: packet.count)
        return finish(srtp_unprotect(inbound, packet.baseAddress, &size), size)
    }

    /// Opens a received RTCP compound; nil: drop it.
    func openRTCP(_ packet: UnsafeMutableRawBufferPointer) -> Int? {
        guard packet.count >= 8 else { return refuse() }
        var size = Int32(clamping: packet.count)
        return finish(srtp_unprotect_rtcp(inbound, packet.baseAddress, &size), size)
    }

    private func refuse() -> Int? {
        counters.others += 1
        return nil
    }

    private func finish(_ status: srtp_err_status_t, _ size: Int32) -> Int? {
        switch status {
        case srtp_err_status_ok: return Int(size)
        case srtp_err_status_auth_fail: counters.authenticationFailures += 1
        case srtp_err_status_replay_fail, srtp_err_status_replay_old: counters.replays += 1
        default: counters.others += 1
        }
        return nil
    }

    private static func makeSession(
        _ profile: SRTPProfile, key: [UInt8], ssrc: srtp_ssrc_type_t
    ) throws(SRTPError) -> srtp_t {
        var policy = srtp_policy_t()
        switch profile {
        case .aeadAES128GCM:
            srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtp)
            srtp_crypto_policy_set_aes_gcm_128_16_auth(&policy.rtcp)
        case .aes128CMSHA1:
            srtp_crypto_policy_set_rtp_default(&policy.rtp)
            srtp_crypto_policy_set_rtcp_default(&policy.rtcp)
        }
        policy.ssrc.type = ssrc
        policy.window_size = replayWindow
        // A packet resent for a NACK without RTX is the same packet again.
        policy.allow_repeat_tx = 1
        var key = key
        var session: srtp_t?
        let status = key.withUnsafeMutableBufferPointer { bytes in
            policy.key = bytes.baseAddress
            return srtp_create(&session, &policy)
        }
        guard status == srtp_err_status_ok, let session else { throw .library(code: Int32(status.rawValue)) }
        return session
    }
}
