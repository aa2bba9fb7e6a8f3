import CWebSocketShims

/// Text messages that wait until the socket takes them; bounded.
struct OutgoingQueue {
    private let maximumBytes: Int
    private var messages: [String] = []
    private var first = 0
    private var bytes = 0

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    var isEmpty: Bool { first == messages.count }

    /// False: the other side does not read, and the queue is full.
    mutating func append(_ text: String) -> Bool {
        // An idle queue takes any message, else a big one could never be sent.
        guard isEmpty || bytes + text.utf8.count <= maximumBytes else { return false }
        messages.append(text)
        bytes += text.utf8.count
        return true
    }

    mutating func removeAll() {
        messages = []
        first = 0
        bytes = 0
    }

    /// Hands the first message to the library.
    /// - Returns: whether the connection lives.
    mutating func writeFirst(to wsi: OpaquePointer) -> Bool {
        guard first < messages.count else { return true }
        var text = messages[first]
        messages[first] = ""
        first += 1
        if first == messages.count {
            messages.removeAll(keepingCapacity: first <= 16)
            first = 0
        }
        bytes -= text.utf8.count
        return text.withUTF8 { utf8 in
            let headroom = ccb_ws_headroom
            return withUnsafeTemporaryAllocation(byteCount: headroom + utf8.count, alignment: 16) { buffer in
                // The bases are there: the buffer is never empty, and an empty text copies nothing.
                let payload = buffer.baseAddress!.advanced(by: headroom)
                payload.copyMemory(
                    from: utf8.baseAddress ?? UnsafePointer(payload.assumingMemoryBound(to: UInt8.self)),
                    byteCount: utf8.count)
                return lws_write(wsi, payload.assumingMemoryBound(to: UInt8.self), utf8.count, LWS_WRITE_TEXT) >= 0
            }
        }
    }
}
