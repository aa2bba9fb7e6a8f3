import CWebSocketShims

/// A certificate and its key in memory.
package final class TLSIdentity: @unchecked Sendable {
    // Read only after init; OpenSSL's reference counts are atomic.
    private let pointer: OpaquePointer
    /// SHA-256 of the certificate, as people and pins read it: "AB:CD:…".
    package let fingerprint: String
    package let isSelfMade: Bool

    private init(_ pointer: OpaquePointer, isSelfMade: Bool) {
        self.pointer = pointer
        self.isSelfMade = isSelfMade
        var digest = [UInt8](repeating: 0, count: 32)
        ccb_tls_fingerprint(pointer, &digest)
        fingerprint = TLSFingerprint.text(of: digest)
    }

    deinit {
        ccb_tls_free(pointer)
    }

    /// Seconds until the certificate expires, by the wall clock; negative after that.
    package var remainingSeconds: Int64 { ccb_tls_remaining_seconds(pointer) }

    /// Reads or makes what the configuration asks for.
    /// - Thread: any that may block (files).
    package static func make(_ source: ServerTLS) throws(WebSocketError) -> TLSIdentity {
        switch source {
        case .files(let certificate, let key):
            return TLSIdentity(try load(certificate, key), isSelfMade: false)
        case .selfMade(let names, let keptAt):
            if let keptAt, let kept = try? load(keptAt, keptAt), ccb_tls_remaining_seconds(kept) > 86_400 {
                return TLSIdentity(kept, isSelfMade: true)
            }
            let alternatives = names.map { $0.isIPAddress ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
            // Ten years: the fingerprint is what is trusted, and it must not change under a pin.
            guard let made = ccb_tls_make(names.first ?? "callbox", alternatives, 3650) else {
                throw .certificate("cannot make a certificate for \(alternatives)")
            }
            let identity = TLSIdentity(made, isSelfMade: true)
            if let keptAt {
                let result = ccb_tls_save(made, keptAt)
                if result != 0 { throw .certificate("\(keptAt): cannot be written: \(systemText(-result))") }
            }
            return identity
        }
    }

    private static func load(_ certificate: String, _ key: String) throws(WebSocketError) -> OpaquePointer {
        var problem: Int32 = 0
        if let pointer = ccb_tls_load(certificate, key, &problem) { return pointer }
        switch UInt32(problem) {
        case CCB_TLS_CERTIFICATE_UNREADABLE.rawValue:
            throw .certificate("\(certificate): no certificate (PEM) can be read from it")
        case CCB_TLS_KEY_UNREADABLE.rawValue:
            throw .certificate("\(key): no private key (PEM, without pass phrase) can be read from it")
        case CCB_TLS_KEY_MISMATCH.rawValue: throw .certificate("\(key): is not the key of \(certificate)")
        default: throw .certificate("no memory")
        }
    }

    /// Puts certificate, chain and key into a TLS context of the library.
    func install(into context: OpaquePointer) -> Bool {
        ccb_tls_install(pointer, context) != 0
    }
}
