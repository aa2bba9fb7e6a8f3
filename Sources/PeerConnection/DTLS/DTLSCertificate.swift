import CNetworkShims
import COpenSSL
import Glibc
import SDP

/// The endpoint's identity in DTLS: a self-signed ECDSA P-256 certificate, made at start and never stored.
///
/// One certificate serves all connections of the process.
/// - Source: RFC 8827 §6.5; the name says nothing about the machine.
// @unchecked: everything is written in init only; OpenSSL counts references to these objects atomically.
package final class DTLSCertificate: @unchecked Sendable {
    /// Seconds a certificate is valid on either side of the moment it is made. Nobody checks it in WebRTC, and a board
    /// without a battery may believe it is 1970.
    private static let validSeconds = 365 * 24 * 3_600

    /// SHA-256, for the session description.
    package let fingerprint: Fingerprint
    let context: OpaquePointer
    private let key: OpaquePointer
    private let certificate: OpaquePointer

    package init() throws(DTLSError) {
        guard let key = DTLSCertificate.makeKey() else { throw .library("make a P-256 key") }
        guard let certificate = DTLSCertificate.makeCertificate(for: key) else {
            EVP_PKEY_free(key)
            throw .library("sign a certificate")
        }
        guard let context = DTLSCertificate.makeContext(key: key, certificate: certificate),
            let fingerprint = DTLSCertificate.fingerprint(of: certificate, algorithm: .sha256)
        else {
            X509_free(certificate)
            EVP_PKEY_free(key)
            throw .library("make a DTLS context")
        }
        self.key = key
        self.certificate = certificate
        self.context = context
        self.fingerprint = fingerprint
    }

    deinit {
        SSL_CTX_free(context)
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    static func fingerprint(of certificate: OpaquePointer, algorithm: Fingerprint.Algorithm) -> Fingerprint? {
        let digest =
            switch algorithm {
            case .sha256: EVP_sha256()
            case .sha384: EVP_sha384()
            case .sha512: EVP_sha512()
            }
        var count: UInt32 = 0
        var bytes = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        guard X509_digest(certificate, digest, &bytes, &count) == 1 else { return nil }
        let digits = bytes.prefix(Int(count)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return Fingerprint(algorithm: algorithm, value: digits.joined(separator: ":"))
    }

    private static func makeKey() -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1
        else { return nil }
        return key
    }

    private static func makeCertificate(for key: OpaquePointer) -> OpaquePointer? {
        guard let certificate = X509_new() else { return nil }
        var serial: UInt64 = 0
        let isFilled = withUnsafeMutableBytes(of: &serial) { bytes in
            RAND_bytes(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count)) == 1
        }
        let name = X509_NAME_new()
        defer { X509_NAME_free(name) }
        let title = Array("WebRTC".utf8)
        guard isFilled, X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1) == 1,
            X509_gmtime_adj(X509_getm_notBefore(certificate), -validSeconds) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), validSeconds) != nil,
            X509_NAME_add_entry_by_txt(name, "CN", asciiStringType, title, Int32(title.count), -1, 0) == 1,
            X509_set_subject_name(certificate, name) == 1, X509_set_issuer_name(certificate, name) == 1,
            X509_set_pubkey(certificate, key) == 1, X509_sign(certificate, key, EVP_sha256()) > 0
        else {
            X509_free(certificate)
            return nil
        }
        return certificate
    }

    /// `MBSTRING_ASC`, a macro with an expression that Swift does not see.
    private static let asciiStringType: Int32 = 0x1001

    private static func makeContext(key: OpaquePointer, certificate: OpaquePointer) -> OpaquePointer? {
        guard let context = SSL_CTX_new(DTLS_method()) else { return nil }
        ccb_dtls_configure(context)
        // use_srtp answers 0 on success. Both certificate kinds: browsers sign with ECDSA, some servers with RSA.
        let ciphers =
            "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-CHACHA20-POLY1305:"
            + "ECDHE-RSA-CHACHA20-POLY1305:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384"
        guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1,
            SSL_CTX_set_cipher_list(context, ciphers) == 1
        else {
            SSL_CTX_free(context)
            return nil
        }
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        SSL_CTX_set_cert_verify_callback(context, verifyPeer, nil)
        return context
    }
}

/// Stands in for the chain check of OpenSSL: a self-signed certificate is good when SDP announced its hash.
private func verifyPeer(_ store: OpaquePointer?, _ unused: UnsafeMutableRawPointer?) -> Int32 {
    guard let store, let certificate = X509_STORE_CTX_get0_cert(store),
        let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
        let transport = DTLSTransport.owner(of: OpaquePointer(ssl)), transport.accepts(certificate)
    else {
        if let store { X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_REJECTED) }
        return 0
    }
    return 1
}
