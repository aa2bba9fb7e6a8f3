import CNetworkShims
import COpenSSL
import Glibc
import MediaTypes
import SDP

/// One DTLS 1.2 association over OpenSSL: datagrams in, datagrams out, and the keys of SRTP when it is up.
///
/// It opens no socket and reads no clock: the owner sends what `send` is given, and calls `advance` at `nextDeadline`.
/// - Thread: `cb-net` only.
/// - Errors: none after init; what the far side does wrong ends in `.failed`.
/// - Source: RFC 5764 (use_srtp), RFC 8842 (roles), RFC 8122 (fingerprints), RFC 6347.
final class DTLSTransport {
    enum State: Equatable {
        case new
        case handshaking
        case connected
        case closed
        case failed(String)
    }

    /// Largest DTLS datagram: leaves room for a TURN header inside 1280 bytes.
    static let mtu = 1_200

    private(set) var state = State.new
    /// When `advance` is due.
    private(set) var nextDeadline = MonotonicTime.distantFuture
    /// Set when `state` becomes `connected`, if the far side wants SRTP.
    private(set) var srtpKeys: SRTPKeys?
    /// True when the far side ended the association with close_notify.
    private(set) var isClosedByPeer = false
    let role: DTLSRole

    private let certificate: DTLSCertificate
    private let fingerprints: [Fingerprint]
    private let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    private let send: (UnsafeRawBufferPointer) -> Void
    private let deliver: (UnsafeRawBufferPointer) -> Void
    private var isRejectedFingerprint = false

    /// - Parameters:
    ///   - fingerprints: what SDP announced; one of them must be the far side's certificate.
    ///   - profiles: SRTP profiles to offer or take, best first.
    ///   - send: called with each datagram for the far side.
    ///   - deliver: called with each piece of application data.
    init(
        certificate: DTLSCertificate, role: DTLSRole, fingerprints: [Fingerprint],
        profiles: [SRTPProfile] = SRTPProfile.preferred, send: @escaping (UnsafeRawBufferPointer) -> Void,
        deliver: @escaping (UnsafeRawBufferPointer) -> Void
    ) throws(DTLSError) {
        guard let ssl = SSL_new(certificate.context) else { throw .library("make a DTLS connection") }
        guard let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .library("make a memory BIO")
        }
        self.certificate = certificate
        self.role = role
        self.fingerprints = fingerprints
        self.ssl = ssl
        self.input = input
        self.output = output
        self.send = send
        self.deliver = deliver
        // An empty input means "try again", not the end.
        BIO_ctrl(input, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
        BIO_ctrl(output, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
        SSL_set_bio(ssl, input, output)
        ccb_dtls_set_options(ssl, DTLSTransport.mtu)
        DTLS_set_timer_cb(ssl, dtlsRetransmission)
        let names = profiles.map(\.openSSLName).joined(separator: ":")
        guard SSL_set_tlsext_use_srtp(ssl, names) == 0 else {
            SSL_free(ssl)
            throw .library("offer SRTP")
        }
        // Unretained: the SSL object lives inside this one.
        SSL_set_ex_data(ssl, DTLSTransport.ownerIndex, Unmanaged.passUnretained(self).toOpaque())
        switch role {
        case .client: SSL_set_connect_state(ssl)
        case .server: SSL_set_accept_state(ssl)
        }
    }

    deinit {
        SSL_free(ssl)
    }

    /// Sends the first flight of a client; a server waits for it.
    func start(at now: MonotonicTime) {
        guard state == .new else { return }
        state = .handshaking
        shakeHands(at: now)
    }

    /// Takes one datagram of the far side.
    func receive(_ datagram: UnsafeRawBufferPointer, at now: MonotonicTime) {
        switch state {
        case .new, .closed, .failed: return
        case .handshaking, .connected: break
        }
        // One datagram at a time: the memory BIO keeps no borders between them.
        guard BIO_write(input, datagram.baseAddress, Int32(clamping: datagram.count)) > 0 else { return }
        if state == .handshaking { shakeHands(at: now) }
        if state == .connected { readApplicationData() }
        // Whatever OpenSSL left of a broken datagram must not be glued to the next one.
        BIO_ctrl(input, BIO_CTRL_RESET, 0, nil)
        flush()
        updateDeadline(at: now)
    }

    /// Retransmits the flight that was lost, when it is time.
    func advance(to now: MonotonicTime) {
        guard state == .handshaking, nextDeadline <= now else { return }
        ERR_clear_error()
        if ccb_dtls_handle_timeout(ssl) < 0 {
            fail("the far side does not answer DTLS")
        }
        flush()
        updateDeadline(at: now)
    }

    /// Sends application data (one SCTP packet); false when the association is not up.
    func sendApplicationData(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard state == .connected, bytes.count > 0 else { return false }
        ERR_clear_error()
        let written = SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count))
        flush()
        return written == Int32(clamping: bytes.count)
    }

    /// Tells the far side that it is over (close_notify).
    func close() {
        if state == .connected {
            ERR_clear_error()
            SSL_shutdown(ssl)
            flush()
        }
        switch state {
        case .failed: break
        default: state = .closed
        }
        nextDeadline = .distantFuture
    }

    /// Whether SDP announced this certificate; called by OpenSSL inside the handshake.
    func accepts(_ certificate: OpaquePointer) -> Bool {
        for announced in fingerprints {
            if DTLSCertificate.fingerprint(of: certificate, algorithm: announced.algorithm) == announced { return true }
        }
        isRejectedFingerprint = true
        return false
    }

    static func owner(of ssl: OpaquePointer) -> DTLSTransport? {
        SSL_get_ex_data(ssl, ownerIndex).map { Unmanaged<DTLSTransport>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Where an SSL object keeps its transport; one index per process.
    private static let ownerIndex = CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil, nil)

    private func shakeHands(at now: MonotonicTime) {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            finishHandshake()
        } else {
            switch SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
            case SSL_ERROR_ZERO_RETURN: endByPeer()
            default: fail(isRejectedFingerprint ? "the far side's certificate is not the announced one" : lastError())
            }
        }
        flush()
        updateDeadline(at: now)
    }

    private func finishHandshake() {
        if let selected = SSL_get_selected_srtp_profile(ssl) {
            srtpKeys = SRTPProfile(identifier: selected.pointee.id).flatMap { exportKeys(of: $0) }
        }
        state = .connected
    }

    private func exportKeys(of profile: SRTPProfile) -> SRTPKeys? {
        let label = "EXTRACTOR-dtls_srtp"
        var material = [UInt8](repeating: 0, count: 2 * (profile.keyByteCount + profile.saltByteCount))
        defer { material.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        guard SSL_export_keying_material(ssl, &material, material.count, label, label.utf8.count, nil, 0, 0) == 1
        else { return nil }
        return SRTPKeys(profile: profile, material: material, role: role)
    }

    private func readApplicationData() {
        withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
            while state == .connected {
                ERR_clear_error()
                let count = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                if count > 0 {
                    deliver(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).prefix(Int(count))))
                    continue
                }
                switch SSL_get_error(ssl, count) {
                case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
                case SSL_ERROR_ZERO_RETURN: endByPeer()
                default:
                    // A fatal alert is authenticated, so it is the far side's own word; all other noise is dropped.
                    if SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 { endByPeer() }
                    return
                }
            }
        }
    }

    private func endByPeer() {
        isClosedByPeer = true
        if state == .connected { SSL_shutdown(ssl) }
        state = .closed
    }

    private func fail(_ reason: String) {
        state = .failed(reason)
        srtpKeys = nil
    }

    private func lastError() -> String {
        var text = [CChar](repeating: 0, count: 160)
        ERR_error_string_n(ERR_peek_last_error(), &text, text.count)
        let end = text.firstIndex(of: 0) ?? text.count
        return "DTLS: " + String(decoding: text[..<end].map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    private func updateDeadline(at now: MonotonicTime) {
        var left = timeval()
        guard state == .handshaking, ccb_dtls_timeout(ssl, &left) == 1 else {
            nextDeadline = .distantFuture
            return
        }
        nextDeadline = now + .microseconds(Int64(left.tv_sec) * 1_000_000 + Int64(left.tv_usec))
    }

    /// Sends what OpenSSL wrote, cut at record borders into datagrams of at most the MTU.
    private func flush() {
        let pending = ccb_bio_pending(output)
        guard pending > 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: pending, alignment: 8) { buffer in
            let count = Int(BIO_read(output, buffer.baseAddress, Int32(clamping: pending)))
            guard count > 0 else { return }
            let records = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer).prefix(count))
            var start = 0
            var end = 0
            while end + 13 <= count {
                // RFC 6347 §4.1: 13 bytes of record header, the length in the last two.
                let next = end + 13 + (Int(records[end + 11]) << 8 | Int(records[end + 12]))
                if next - start > DTLSTransport.mtu && end > start {
                    send(UnsafeRawBufferPointer(rebasing: records[start..<end]))
                    start = end
                }
                end = min(next, count)
            }
            if end > start { send(UnsafeRawBufferPointer(rebasing: records[start..<end])) }
        }
    }
}

/// How long to wait before a flight is repeated, in microseconds: OpenSSL's first second is a long time in a call, and
/// ICE has shown that the path is good. Doubles up to 4 s.
private func dtlsRetransmission(_ ssl: OpaquePointer?, _ before: UInt32) -> UInt32 {
    before == 0 ? 250_000 : min(before * 2, 4_000_000)
}
