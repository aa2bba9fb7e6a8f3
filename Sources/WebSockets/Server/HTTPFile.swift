import COpenSSL

/// A file that a `WebSocketServer` serves over HTTP.
package struct HTTPFile: Sendable {
    /// Exactly as in the request: "/", "/app.js".
    package let path: String
    package let contentType: String
    private let content: Content
    /// With its quotes.
    let entityTag: String

    private enum Content: Sendable {
        case constant(StaticString)
        case bytes([UInt8])
    }

    /// A file that stands in the program: it is not copied.
    package init(path: String, contentType: String, text: StaticString) {
        self.init(path, contentType, .constant(text))
    }

    package init(path: String, contentType: String, bytes: [UInt8]) {
        self.init(path, contentType, .bytes(bytes))
    }

    private init(_ path: String, _ contentType: String, _ content: Content) {
        self.path = path
        self.contentType = contentType
        self.content = content
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        Self.withBytes(of: content) { bytes in
            _ = EVP_Digest(bytes.baseAddress, bytes.count, &digest, &count, EVP_sha256(), nil)
        }
        entityTag = "\"" + digest.prefix(12).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Self.withBytes(of: content, body)
    }

    private static func withBytes<Result>(of content: Content, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        switch content {
        case .constant(let text): text.withUTF8Buffer { body(UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): bytes.withUnsafeBytes(body)
        }
    }
}
