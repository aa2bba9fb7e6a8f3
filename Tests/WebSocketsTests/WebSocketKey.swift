import COpenSSL

/// The accept value of RFC 6455 §4.2.2, for a server of a test's own.
enum WebSocketKey {
    static func acceptValue(for key: String) -> String {
        let text = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        _ = SHA1(text, text.count, &digest)
        var encoded = [UInt8](repeating: 0, count: 32)
        let count = EVP_EncodeBlock(&encoded, digest, 20)
        return String(decoding: encoded[..<Int(count)], as: UTF8.self)
    }
}
