import CWebSocketShims

extension ServerLoop {
    /// Refuses everything that a page of somebody else could do; the page itself may only load what it brings.
    private static let securityHeaders: [(StaticString, String)] = [
        (
            "content-security-policy:",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
                + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        ("x-content-type-options:", "nosniff"),
        ("referrer-policy:", "no-referrer"),
        ("cross-origin-opener-policy:", "same-origin"),
        ("cross-origin-resource-policy:", "same-origin"),
        ("permissions-policy:", "camera=(self), microphone=(self), geolocation=()"),
    ]
    private static let chunkBytes = 8 * 1024

    /// Decides on an `Upgrade` before the library acts on it. 0 goes on, 1 means that it was answered, -1 hangs up.
    func confirmUpgrade(_ wsi: OpaquePointer, to protocolName: UnsafeMutableRawPointer?) -> Int32 {
        let name = protocolName.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        guard name.lowercased() == "websocket" else { return refuse(wsi, 400, "only WebSocket upgrades") }
        guard isFromOurPage(wsi) else { return refuse(wsi, 403, "the Host or Origin of the request is not ours") }
        guard header(wsi, WSI_TOKEN_GET_URI) == configuration.webSocketPath else {
            return refuse(wsi, 404, "not found")
        }
        return 0
    }

    /// Answers a request for a file.
    func answer(_ wsi: OpaquePointer, _ peer: ServerPeer, path input: UnsafeMutableRawPointer?) -> Int32 {
        let isHead = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0
        guard isHead || lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 else {
            // A body may follow: it is not read.
            _ = refuse(wsi, 405, "only GET and HEAD")
            return -1
        }
        guard isFromOurPage(wsi) else { return finish(wsi, refuse(wsi, 403, "the Host of the request is not ours")) }
        let path = input.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        guard let file = configuration.files.first(where: { $0.path == path }) else {
            return finish(wsi, refuse(wsi, 404, "not found"))
        }
        var fields: [(StaticString, String)] = [("etag:", file.entityTag), ("cache-control:", "no-cache")]
        let known = header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH) ?? ""
        if known == "*" || known.contains(file.entityTag) {
            return finish(wsi, writeHeaders(wsi, 304, fields, contentLength: nil) ? 1 : -1)
        }
        fields.append(("content-type:", file.contentType))
        let count = file.withBytes(\.count)
        guard writeHeaders(wsi, 200, fields, contentLength: count) else { return -1 }
        if isHead || count == 0 { return finish(wsi, 1) }
        peer.transfer = (file, 0)
        lws_callback_on_writable(wsi)
        return 0
    }

    /// Sends the next part of the file that was asked for.
    func continueTransfer(_ wsi: OpaquePointer, _ peer: ServerPeer) -> Int32 {
        guard let (file, offset) = peer.transfer else { return 0 }
        ccb_ws_set_timeout(wsi, 15)
        let (count, written, isLast) = file.withBytes { bytes in
            let part = bytes[offset..<min(offset + Self.chunkBytes, bytes.count)]
            let isLast = part.endIndex == bytes.count
            return (part.count, write(wsi, UnsafeRawBufferPointer(rebasing: part), isLast: isLast), isLast)
        }
        guard written else { return -1 }
        guard !isLast else {
            peer.transfer = nil
            return finish(wsi, 1)
        }
        peer.transfer = (file, offset + count)
        lws_callback_on_writable(wsi)
        return 0
    }

    /// The request is answered; the connection may bring another one. Negative: it is to be closed.
    private func finish(_ wsi: OpaquePointer, _ answered: Int32) -> Int32 {
        answered < 0 || lws_http_transaction_completed(wsi) != 0 ? -1 : 0
    }

    private func isFromOurPage(_ wsi: OpaquePointer) -> Bool {
        HostCheck.allows(
            host: header(wsi, WSI_TOKEN_HOST), origin: header(wsi, WSI_TOKEN_ORIGIN),
            isLoopbackOnly: configuration.isLoopbackOnly)
    }

    private func header(_ wsi: OpaquePointer, _ token: lws_token_indexes) -> String? {
        let count = Int(lws_hdr_total_length(wsi, token))
        guard count > 0, count < 1024 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { buffer in
            guard let base = buffer.baseAddress, lws_hdr_copy(wsi, base, Int32(count + 1), token) > 0 else {
                return nil
            }
            return String(cString: base)
        }
    }

    /// Answers with a status and a line of text. 1: answered; -1: the connection is broken.
    private func refuse(_ wsi: OpaquePointer, _ status: UInt32, _ text: StaticString) -> Int32 {
        let fields: [(StaticString, String)] = [
            ("content-type:", "text/plain; charset=utf-8"), ("cache-control:", "no-store"),
        ]
        guard writeHeaders(wsi, status, fields, contentLength: text.utf8CodeUnitCount) else { return -1 }
        return text.withUTF8Buffer { write(wsi, UnsafeRawBufferPointer($0), isLast: true) } ? 1 : -1
    }

    private func writeHeaders(
        _ wsi: OpaquePointer, _ status: UInt32, _ fields: [(StaticString, String)], contentLength: Int?
    ) -> Bool {
        let headroom = ccb_ws_headroom
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: headroom + 2048) { buffer in
            guard let base = buffer.baseAddress else { return false }
            let start = base + headroom
            let end = base + buffer.count
            var position: UnsafeMutablePointer<UInt8>? = start
            guard lws_add_http_header_status(wsi, status, &position, end) == 0 else { return false }
            for (name, value) in fields + Self.securityHeaders {
                let bytes = Array(value.utf8)
                let result = lws_add_http_header_by_name(
                    wsi, name.utf8Start, bytes, Int32(bytes.count), &position, end)
                guard result == 0 else { return false }
            }
            if let contentLength, lws_add_http_header_content_length(wsi, UInt64(contentLength), &position, end) != 0 {
                return false
            }
            return lws_finalize_write_http_header(wsi, start, &position, end) == 0
        }
    }

    private func write(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer, isLast: Bool) -> Bool {
        let headroom = ccb_ws_headroom
        return withUnsafeTemporaryAllocation(byteCount: headroom + bytes.count, alignment: 16) { buffer in
            guard let base = buffer.baseAddress, let source = bytes.baseAddress else { return true }
            let payload = base + headroom
            payload.copyMemory(from: source, byteCount: bytes.count)
            let kind = isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP
            return lws_write(wsi, payload.assumingMemoryBound(to: UInt8.self), bytes.count, kind) >= 0
        }
    }
}
